// SPDX-License-Identifier: GPL-2.0-only
#include "figures/spread-text.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

std::string
SpreadText(std::size_t seeds, const std::vector<double>& halfWidths)
{
    if (seeds < 2)
    {
        return "one seed, so no intervals";
    }
    const auto flat = std::count(halfWidths.begin(), halfWidths.end(), 0.0);
    if (flat == 0)
    {
        return fmt::format("means and 95 % intervals of {} seeds", seeds);
    }
    if (flat == static_cast<std::ptrdiff_t>(halfWidths.size()))
    {
        return fmt::format("means of {} seeds, which agree at every point", seeds);
    }
    return fmt::format("means and 95 % intervals of {} seeds, which agree at {} of {} points",
                       seeds,
                       flat,
                       halfWidths.size());
}

std::string
SpreadText(std::size_t seeds, const std::vector<std::vector<double>>& halfWidths)
{
    std::vector<double> all;
    for (const auto& ofCurve : halfWidths)
    {
        all.insert(all.end(), ofCurve.begin(), ofCurve.end());
    }
    return SpreadText(seeds, all);
}

} // namespace geotrain
