// SPDX-License-Identifier: GPL-2.0-only
// Says of a figure's points what their intervals are, and which have none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace geotrain
{

/// A PointSpread is how many seeds a point is the mean of, and half the width of their 95 % interval.
struct PointSpread
{
    std::size_t seeds = 1;
    double halfWidth = 0;
};

/// Returns "means and 95 % intervals of 5 seeds", and of how many points all seeds agree or there is
/// one seed alone; "one seed, so no intervals" where no point has several.
std::string SpreadText(const std::vector<PointSpread>& points);

} // namespace geotrain
