// SPDX-License-Identifier: GPL-2.0-only
// Computes mean and 95 % confidence interval of a few runs with different seeds (Student's t).
#pragma once

#include <vector>

namespace geotrain
{

/// A MeanInterval is a mean and its confidence interval.
struct MeanInterval
{
    double mean = 0;
    double halfWidth = 0; ///< half the width of the 95 % confidence interval; 0 for one sample
};

/// Returns mean and interval of `samples`, which must not be empty. The half width is
/// t(0.975, n-1) s / sqrt(n) for n samples of sample standard deviation s.
MeanInterval MeanOf(const std::vector<double>& samples);

} // namespace geotrain
