// SPDX-License-Identifier: GPL-2.0-only
#include "workload/expert-loads.h"

#include "units/random-stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace geotrain
{

std::vector<double>
ExpertLoads(const ExpertSpec& experts)
{
    if (experts.capacityFactor > 0 || experts.imbalance == 0)
    {
        return std::vector<double>(experts.count,
                                   experts.capacityFactor > 0 ? experts.capacityFactor : 1);
    }
    // A log-normal variable of relative deviation v has a logarithm of variance ln(1 + v^2).
    const double deviation = std::sqrt(std::log1p(experts.imbalance * experts.imbalance));
    RandomStream stream(experts.seed, "experts", "loads");
    std::vector<double> loads(experts.count);
    std::generate(
        loads.begin(), loads.end(), [&] { return std::exp(deviation * stream.Normal()); });
    const double mean = std::accumulate(loads.begin(), loads.end(), 0.0) / experts.count;
    std::transform(
        loads.begin(), loads.end(), loads.begin(), [mean](double load) { return load / mean; });
    return loads;
}

double
BusiestPart(const ExpertSpec& experts, std::uint32_t parts)
{
    if (parts == 0 || experts.count % parts != 0)
    {
        throw std::invalid_argument("the experts (" + std::to_string(experts.count) +
                                    ") must be a multiple of " + std::to_string(parts));
    }
    const auto loads = ExpertLoads(experts);
    const std::ptrdiff_t each = experts.count / parts;
    double most = 0;
    for (auto first = loads.begin(); first != loads.end(); first += each)
    {
        most = std::max(most, std::accumulate(first, first + each, 0.0));
    }
    const double all = std::accumulate(loads.begin(), loads.end(), 0.0);
    return most / (all / parts);
}

} // namespace geotrain
