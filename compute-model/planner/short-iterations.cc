// SPDX-License-Identifier: GPL-2.0-only
#include "planner/short-iterations.h"

#include <algorithm>

namespace geotrain
{

namespace
{

/// Least microbatches of the longer iteration, in pipeline depths; half of them has a steady state.
constexpr std::uint32_t leastDepths = 4;

} // namespace

ShortIterations::ShortIterations(const TrainingPlan& plan, std::uint32_t usual)
    : longer(plan.microbatches),
      shorter(plan.microbatches)
{
    const std::uint32_t stages = plan.pipelineStages;
    const std::uint32_t most = std::max(usual, leastDepths * stages);
    if (longer >= most + stages)
    {
        longer -= (longer - most) / stages * stages;
        shorter = longer - longer / 2 / stages * stages;
    }
}

double
ShortIterations::Extrapolated(std::uint32_t microbatches,
                              double secondsOfLonger,
                              double secondsOfShorter) const
{
    if (longer == shorter)
    {
        return secondsOfLonger;
    }
    const double period = (secondsOfLonger - secondsOfShorter) / (longer - shorter);
    return secondsOfLonger + period * (static_cast<double>(microbatches) - longer);
}

std::uint64_t
ShortIterations::Forwards(const TrainingPlan& plan, const Cluster& cluster) const
{
    const std::uint64_t ofMicrobatch =
        std::uint64_t{plan.dataParallel} / AlikeCells(plan, cluster) * plan.pipelineStages;
    return ofMicrobatch * (longer == shorter ? longer : longer + shorter);
}

double
ShortIterations::Simulate(TrainingPlan plan,
                          const PlanInputs& inputs,
                          const MeasuredIterations& iterations) const
{
    const std::uint32_t all = plan.microbatches;
    const auto secondsOver = [&](std::uint32_t microbatches)
    {
        plan.microbatches = microbatches;
        return SimulatePlan(plan, inputs, iterations).iterationTime.ToSeconds();
    };
    const double secondsOfLonger = secondsOver(longer);
    return Extrapolated(
        all, secondsOfLonger, longer == shorter ? secondsOfLonger : secondsOver(shorter));
}

} // namespace geotrain
