// SPDX-License-Identifier: GPL-2.0-only
// Computes small statistics of samples, and what most metrics need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// Returns the nearest-rank percentile: the smallest sample that at least `percent` (in (0, 100])
/// of the samples do not exceed. `samples` must not be empty; its order doesn't matter.
double Percentile(std::vector<double> samples, double percent);

/// A LifeTime is how long something took or, censored, how long it had taken when it was last seen.
struct LifeTime
{
    double value = 0;
    bool isCensored = false;
};

/// Returns the percentile by Kaplan and Meier's estimate (1958): the smallest time by which at least
/// `percent` of all have ended. Without censored ones it is Percentile(). Returns nullopt where that
/// is not known, or infinite.
std::optional<double> CensoredPercentile(std::vector<LifeTime> times, double percent);

inline double
SecondsOf(std::int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

/// Returns part / whole; 0 where there is no whole.
inline double
Ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/// Returns the mean; 0 without samples.
double MeanOfSamples(const std::vector<double>& samples);

/// A DistributionStep is a step of a distribution: `share` of all did not take more than `value`.
struct DistributionStep
{
    double value = 0;
    double share = 0; ///< in (0, 1]
};

/// Returns the distribution of `samples` among `all`, of which the others have no value: the last
/// share is samples / all. There is a step per sample, or 1,000 steps where there are more samples.
/// `all` is at least the number of samples.
std::vector<DistributionStep> DistributionOf(std::vector<double> samples, std::size_t all);

/// Returns Jain's fairness index, (sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when one has
/// it all. It is 1 for no samples and for samples that are all 0. (Jain, Chiu, Hawe, DEC TR-301,
/// 1984.)
double JainFairness(const std::vector<double>& shares);

} // namespace geotrain
