// SPDX-License-Identifier: GPL-2.0-only
// The points of a curve.
#pragma once

#include <utility>
#include <vector>

namespace geotrain
{

/// x and y.
using CurvePoints = std::vector<std::pair<double, double>>;

} // namespace geotrain
