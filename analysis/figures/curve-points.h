// SPDX-License-Identifier: GPL-2.0-only
// The points of a curve.
#pragma once

#include "metrics/statistics.h"

#include <utility>
#include <vector>

namespace geotrain
{

/// x and y.
using CurvePoints = std::vector<std::pair<double, double>>;

/// Returns a distribution as stairs, with shares in %. They begin at 0 %; where the distribution
/// does not end at 1, neither do they.
inline CurvePoints
StairsOf(const std::vector<DistributionStep>& distribution)
{
    CurvePoints stairs;
    double below = 0;
    for (const auto& [value, share] : distribution)
    {
        stairs.emplace_back(value, 100 * below);
        stairs.emplace_back(value, 100 * share);
        below = share;
    }
    return stairs;
}

} // namespace geotrain
