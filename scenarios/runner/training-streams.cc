// SPDX-License-Identifier: GPL-2.0-only
// Counts the iterations of a run. An error names the field of a plan that can't be streamed.
#include "runner/training-streams.h"

#include "loader/scale-down.h"
#include "runner/in-network-run.h"
#include "units/config-error.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

std::uint32_t
IterationsOf(const TrainingSpec& spec, const RunSettings& run)
{
    const std::uint32_t asked = run.warmUpIterations + run.iterations;
    return spec.prepared.order.noFlush
               ? asked + SettlingIterations(spec.plan.pipelineStages, spec.plan.microbatches)
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
MakeTrainingStreams(const TrainingSpec& spec, const RunSettings& run, const std::string& file)
{
    try
    {
        auto plan = MakePlanStreams({spec.prepared,
                                     spec.job,
                                     spec.cluster,
                                     spec.plan,
                                     IterationsOf(spec, run),
                                     run.collectivesOverNetwork});
        ScaleDown(plan, run.scale);
        if (spec.inNetwork)
        {
            plan.pairs.clear(); // no ring
        }
        AddPairsOfRelays(spec, plan.pairs);
        return plan;
    }
    catch (const std::invalid_argument& broken)
    {
        if (spec.plan.crossDc != CrossDc::ReplicasHierarchical)
        {
            throw;
        }
        throw ConfigError(file, "parallelism.across", "REPLICAS_HIERARCHICAL", broken.what());
    }
}

} // namespace geotrain
