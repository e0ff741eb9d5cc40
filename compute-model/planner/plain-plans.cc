// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plain-plans.h"

#include <algorithm>
#include <cstddef>

namespace geotrain
{

TrainingPlan
PlainPlanOf(const TrainingPlan& plan)
{
    TrainingPlan plain = plan;
    plain.memoryCap = 0;
    plain.warmupFactor = 1;
    plain.virtualStages = 1;
    if (!plan.layersPerStage.empty())
    {
        const std::vector<std::uint32_t> workers = WorkersOfStages(plan);
        plain.layersPerStage.assign(plan.pipelineStages, 0);
        for (std::size_t stage = 0; stage < workers.size(); ++stage)
        {
            plain.layersPerStage[workers[stage]] += plan.layersPerStage[stage];
        }
    }
    return plain;
}

std::vector<TrainingPlan>
PlainPlansWithin(TrainingPlan plain, const std::vector<std::uint32_t>& caps, std::uint32_t chunks)
{
    const auto fits = [&](const TrainingPlan& tried)
    {
        const auto held = InFlightOf(tried);
        return std::equal(held.begin(),
                          held.end(),
                          caps.begin(),
                          [chunks](std::uint32_t activations, std::uint32_t cap)
                          { return activations * chunks <= cap; });
    };
    std::vector<TrainingPlan> plans;
    plain.schedule = "1f1b";
    while (fits(plain))
    {
        plans.push_back(plain);
        if (InFlightOf(plain).front() == plain.microbatches)
        {
            break;
        }
        plain.warmupFactor += std::max(1U, plain.warmupFactor / 4);
    }
    plain.warmupFactor = 1;
    plain.schedule = "gpipe";
    if (fits(plain))
    {
        plans.push_back(plain);
    }
    return plans;
}

} // namespace geotrain
