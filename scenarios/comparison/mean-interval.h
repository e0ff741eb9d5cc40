// SPDX-License-Identifier: GPL-2.0-only
// Mean and 95 % confidence interval of a few runs with different seeds (Student's t).
#pragma once

#include <vector>

namespace geotrain
{

struct MeanInterval
{
    double mean = 0;
    double halfWidth = 0; ///< the mean lies within +- this with 95 % confidence; 0 for one sample
};

/// `samples` is not empty. halfWidth = t(0.975, n-1) s / sqrt(n), s the sample standard deviation.
MeanInterval MeanOf(const std::vector<double>& samples);

} // namespace geotrain
