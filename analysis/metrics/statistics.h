// SPDX-License-Identifier: GPL-2.0-only
// Computes small statistics of samples.
#pragma once

#include <vector>

namespace geotrain
{

/// Returns the nearest-rank percentile: the smallest sample that at least `percent` (in (0, 100])
/// of the samples do not exceed. `samples` must not be empty; its order doesn't matter.
double Percentile(std::vector<double> samples, double percent);

/// Returns Jain's fairness index, (sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when one has
/// it all. It is 1 for no samples and for samples that are all 0. (Jain, Chiu, Hawe, DEC TR-301,
/// 1984.)
double JainFairness(const std::vector<double>& shares);

} // namespace geotrain
