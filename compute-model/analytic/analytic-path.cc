// SPDX-License-Identifier: GPL-2.0-only
// Decides which windows of paths inside a data centre limit anything.
#include "analytic/analytic-path.h"

#include <algorithm>
#include <limits>

namespace geotrain
{

void
LeaveOutLooseWindow(AnalyticPath& path, const std::vector<BitRate>& linkRates)
{
    double rate = std::numeric_limits<double>::infinity();
    for (const std::size_t link : path.links)
    {
        rate = std::min(rate, static_cast<double>(linkRates[link].ToBitsPerSecond()));
    }
    const bool binds =
        8 * static_cast<double>(path.window.Count()) < rate * path.roundTrip.ToSeconds();
    if (!path.crossesWan && !binds)
    {
        path.window = Bytes();
    }
}

} // namespace geotrain
