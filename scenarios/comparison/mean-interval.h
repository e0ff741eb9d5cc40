// SPDX-License-Identifier: GPL-2.0-only
// Computes mean and 95 % confidence interval of a few runs with different seeds (Student's t).
#pragma once

#include <optional>
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

/// Returns whether the means of two sets of runs with different seeds differ by more than the
/// spread of seeds explains at 95 %; nullopt where neither has two runs. Where both have, this is
/// Welch's t-test. Where one is a single run, it is outside of mean +- t(0.975, n-1) s sqrt(1 + 1/n)
/// of the other. Neither may be empty.
std::optional<bool> ExceedsSpread(const std::vector<double>& first,
                                  const std::vector<double>& second);

} // namespace geotrain
