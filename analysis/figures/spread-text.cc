// SPDX-License-Identifier: GPL-2.0-only
#include "figures/spread-text.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

std::string
SpreadText(const std::vector<PointSpread>& points)
{
    std::size_t seeds = 1;
    std::size_t several = 0;
    std::size_t flat = 0;
    for (const auto& point : points)
    {
        seeds = std::max(seeds, point.seeds);
        several += point.seeds > 1 ? 1 : 0;
        flat += point.seeds > 1 && point.halfWidth == 0 ? 1 : 0;
    }
    if (several == 0)
    {
        return "one seed, so no intervals";
    }
    auto text = flat == several
                    ? fmt::format("means of {} seeds, which agree at every point", seeds)
                    : fmt::format("means and 95 % intervals of {} seeds", seeds);
    if (flat > 0 && flat < several)
    {
        text += fmt::format(", which agree at {} of {} points", flat, several);
    }
    const auto single = points.size() - several;
    return single == 0 ? text
                       : text + fmt::format("; one seed at {} of {} points", single, points.size());
}

} // namespace geotrain
