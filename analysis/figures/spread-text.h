// SPDX-License-Identifier: GPL-2.0-only
// Says of a figure's points what their intervals are, and which have none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns "means and 95 % intervals of 5 seeds" for points of several seeds whose half widths of
/// the interval are `halfWidths`, and how many of them have no spread; "one seed, so no intervals"
/// for one.
std::string SpreadText(std::size_t seeds, const std::vector<double>& halfWidths);

/// Returns SpreadText() for several curves.
std::string SpreadText(std::size_t seeds, const std::vector<std::vector<double>>& halfWidths);

} // namespace geotrain
