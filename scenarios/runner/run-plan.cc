// SPDX-License-Identifier: GPL-2.0-only
// Counts the iterations of a run. An error names the field of a plan that can't be streamed.
#include "runner/run-plan.h"

#include "units/config-error.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

std::uint32_t
IterationsOf(const LoadedScenario& scenario)
{
    const std::uint32_t asked = scenario.run.warmUpIterations + scenario.run.iterations;
    return scenario.training.order.noFlush
               ? asked +
                     SettlingIterations(scenario.plan.pipelineStages, scenario.plan.microbatches)
               : asked;
}

} // namespace

PlanStreams
MakeRunPlan(const LoadedScenario& scenario)
{
    try
    {
        return MakePlanStreams(scenario.training,
                               scenario.job,
                               scenario.cluster,
                               scenario.plan,
                               IterationsOf(scenario),
                               scenario.run.collectivesOverNetwork);
    }
    catch (const std::invalid_argument& broken)
    {
        if (scenario.plan.crossDc != CrossDc::ReplicasHierarchical)
        {
            throw;
        }
        throw ConfigError(
            scenario.file, "parallelism.across", "REPLICAS_HIERARCHICAL", broken.what());
    }
}

} // namespace geotrain
