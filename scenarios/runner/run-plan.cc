// SPDX-License-Identifier: GPL-2.0-only
// Counts the iterations of a run. An error names the field of a plan that can't be streamed.
#include "runner/run-plan.h"

#include "loader/scale-down.h"
#include "runner/in-network-run.h"
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

/// Divides the messages and collectives of a plan by `scale`.
void
ScaleDown(PlanStreams& plan, std::uint32_t scale)
{
    if (scale == 1)
    {
        return;
    }
    for (auto& worker : plan.execution.workers)
    {
        for (auto& instruction : worker.stream)
        {
            if (instruction.kind == InstructionKind::Send || IsCollective(instruction.kind))
            {
                instruction.size = ScaledDown(instruction.size, scale);
            }
        }
    }
    for (auto& pair : plan.pairs)
    {
        pair.size = ScaledDown(pair.size, scale);
    }
}

} // namespace

PlanStreams
MakeRunPlan(const LoadedScenario& scenario)
{
    try
    {
        auto plan = MakePlanStreams(scenario.training,
                                    scenario.job,
                                    scenario.cluster,
                                    scenario.plan,
                                    IterationsOf(scenario),
                                    scenario.run.collectivesOverNetwork);
        ScaleDown(plan, scenario.run.scale);
        if (scenario.inNetwork)
        {
            plan.pairs.clear(); // no ring
        }
        AddPairsOfRelays(scenario, plan.pairs);
        return plan;
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
