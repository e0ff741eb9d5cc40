// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/runs-together.h"

#include "runner/run-estimate.h"

#include <algorithm>

namespace geotrain
{

unsigned
RunsThatFit(const Experiment& scenario)
{
    constexpr double most = 10000; // as many as --jobs takes
    const auto limit = static_cast<double>(scenario.run.memoryLimit.Count());
    const auto estimate = EstimateRun(scenario);
    const double fit = estimate ? limit / estimate->memoryBytes : 1;
    return static_cast<unsigned>(std::clamp(fit, 1.0, most));
}

void
ShareMemory(Experiment& scenario, std::size_t runs)
{
    const auto share = static_cast<std::int64_t>(std::max<std::size_t>(runs, 1));
    scenario.run.memoryLimit = Bytes::Of(scenario.run.memoryLimit.Count() / share);
}

} // namespace geotrain
