// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace geotrain
{

double
Percentile(std::vector<double> samples, double percent)
{
    const double rank = std::ceil(percent / 100 * static_cast<double>(samples.size()));
    const auto index =
        std::clamp<std::size_t>(static_cast<std::size_t>(rank), 1, samples.size()) - 1;
    std::nth_element(
        samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(index), samples.end());
    return samples[index];
}

double
MeanOfSamples(const std::vector<double>& samples)
{
    return samples.empty() ? 0
                           : std::accumulate(samples.begin(), samples.end(), 0.0) /
                                 static_cast<double>(samples.size());
}

std::vector<DistributionStep>
DistributionOf(std::vector<double> samples, std::size_t all)
{
    constexpr std::size_t mostSteps = 1000; // more than a column of a paper has dots
    std::sort(samples.begin(), samples.end());
    const std::size_t steps = std::min(samples.size(), mostSteps);
    std::vector<DistributionStep> distribution;
    for (std::size_t step = 1; step <= steps; ++step)
    {
        const std::size_t rank = (samples.size() * step + steps - 1) / steps;
        distribution.push_back(
            {samples[rank - 1], static_cast<double>(rank) / static_cast<double>(all)});
    }
    return distribution;
}

double
JainFairness(const std::vector<double>& shares)
{
    double sum = 0;
    double squares = 0;
    for (const double share : shares)
    {
        sum += share;
        squares += share * share;
    }
    if (squares == 0)
    {
        return 1;
    }
    return std::min(sum * sum / (static_cast<double>(shares.size()) * squares),
                    1.0); // rounding may give a little more than 1
}

std::optional<double>
CensoredPercentile(std::vector<LifeTime> times, double percent)
{
    std::sort(times.begin(),
              times.end(),
              [](const LifeTime& a, const LifeTime& b)
              { return a.value != b.value ? a.value < b.value : a.isCensored < b.isCensored; });
    double lasting = 1; // share that has not ended
    for (std::size_t index = 0; index < times.size(); ++index)
    {
        if (times[index].isCensored)
        {
            continue;
        }
        const auto left = static_cast<double>(times.size() - index);
        lasting *= (left - 1) / left;
        if (1 - lasting >= percent / 100 - 1e-12)
        {
            return std::isfinite(times[index].value) ? std::optional(times[index].value)
                                                     : std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace geotrain
