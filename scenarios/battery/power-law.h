// SPDX-License-Identifier: GPL-2.0-only
// Fits a power law, y ~ x^k, by least squares of the logarithms.
#pragma once

#include <optional>
#include <vector>

namespace geotrain
{

/// A PowerLawPoint is one x and the y there.
struct PowerLawPoint
{
    double x;
    double y;
};

/// Returns k; nothing where there are fewer than two unlike x, or a number is not positive.
std::optional<double> ExponentOf(const std::vector<PowerLawPoint>& points);

} // namespace geotrain
