// SPDX-License-Identifier: GPL-2.0-only
#include "battery/power-law.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

std::optional<double>
ExponentOf(const std::vector<PowerLawPoint>& points)
{
    const auto isUsable = [](const PowerLawPoint& point) { return point.x > 0 && point.y > 0; };
    if (points.empty() || !std::all_of(points.begin(), points.end(), isUsable))
    {
        return std::nullopt;
    }
    double meanX = 0;
    double meanY = 0;
    for (const PowerLawPoint& point : points)
    {
        meanX += std::log(point.x) / static_cast<double>(points.size());
        meanY += std::log(point.y) / static_cast<double>(points.size());
    }
    double squares = 0;
    double products = 0;
    for (const PowerLawPoint& point : points)
    {
        const double fromMean = std::log(point.x) - meanX;
        squares += fromMean * fromMean;
        products += fromMean * (std::log(point.y) - meanY);
    }
    constexpr double rounding = 1e-12; // far below the squares of unlike values
    return squares > rounding ? std::optional(products / squares) : std::nullopt;
}

} // namespace geotrain
