#include "runner/run-plan.h"

#include "execution/iteration-times.h"
#include "execution/warm-ups.h"
#include "placement/hierarchical-all-reduce.h"
#include "planner/replica-streams.h"
#include "schedule/instruction-streams.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

namespace
{

// Without flush some more follow the measured ones, so that these don't see the pipeline drain.
std::uint32_t
IterationsOf(const LoadedScenario& scenario)
{
    const auto& resolved = scenario.resolved;
    const auto asked = static_cast<std::uint32_t>(resolved.run().warmup_iterations() +
                                                  resolved.run().iterations());
    if (!scenario.training.order.noFlush)
    {
        return asked;
    }
    return asked + SettlingIterations(scenario.training.placement.stages,
                                      static_cast<std::uint32_t>(resolved.model().microbatches()));
}

StreamInputs
InputsOf(const LoadedScenario& scenario)
{
    const auto& resolved = scenario.resolved;
    const auto& training = scenario.training;
    StreamInputs inputs;
    inputs.order = training.order;
    inputs.placement = training.placement;
    inputs.timing = training.timing;
    inputs.boundary = BoundaryActivationBytes(
        scenario.model.spec, static_cast<std::uint32_t>(resolved.model().microbatch_size()));
    for (const auto& share : training.shares)
    {
        inputs.gradients.push_back(StageGradientBytes(scenario.model.spec, share));
    }
    inputs.tiedEmbeddingGradients =
        TiedEmbeddingGradientBytes(scenario.model.spec, training.shares.front());
    inputs.iterations = IterationsOf(scenario);
    inputs.microbatches = static_cast<std::uint32_t>(resolved.model().microbatches());
    inputs.allReduceBuckets = static_cast<std::uint32_t>(resolved.schedule().all_reduce_buckets());
    if (resolved.schedule().has_overlapped_block())
    {
        inputs.overlappedBlock = ParseDuration(resolved.schedule().overlapped_block());
    }
    return inputs;
}

CellLayout
CellsOf(const LoadedScenario& scenario)
{
    CellLayout cells;
    cells.stages = scenario.training.placement.stages;
    cells.cellSize = static_cast<std::uint32_t>(scenario.resolved.parallelism().cell_size());
    cells.nodeOfWorker = scenario.training.placement.nodeOfWorker;
    for (std::uint32_t node = 0; node < scenario.topology.NodeCount(); ++node)
    {
        cells.dataCenterOfNode.push_back(scenario.topology.SiteOf(node));
    }
    return cells;
}

void
SplitAllReduces(RunPlan& plan, const LoadedScenario& scenario)
{
    try
    {
        UseHierarchicalAllReduce(plan.execution, plan.cells.dataCenterOfNode);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(
            scenario.file, "parallelism.across", "REPLICAS_HIERARCHICAL", broken.what());
    }
}

} // namespace

RunPlan
MakeRunPlan(const LoadedScenario& scenario)
{
    RunPlan plan;
    const auto& replicaHosts = scenario.training.replicaHosts;
    plan.execution = replicaHosts.empty() ? BuildStreams(InputsOf(scenario))
                                          : BuildReplicaStreams(InputsOf(scenario), replicaHosts);
    plan.cells = CellsOf(scenario);
    if (scenario.resolved.parallelism().across() == scenario::REPLICAS_HIERARCHICAL)
    {
        SplitAllReduces(plan, scenario);
    }
    plan.temporal = scenario.resolved.sharing() == scenario::TEMPORAL;
    plan.collectivesOverNetwork =
        scenario.resolved.run().all_reduce_fidelity() != scenario::ANALYTIC;
    plan.pairs = WarmUpsOf(plan.execution,
                           plan.temporal ? std::optional(plan.cells) : std::nullopt,
                           [&plan](const auto& members) { return plan.CarriesRing(members); });
    return plan;
}

bool
RunPlan::CarriesRing(const std::vector<NodeIndex>& members) const
{
    const auto dataCenterOf = [this](NodeIndex node) { return cells.dataCenterOfNode[node]; };
    const auto first = dataCenterOf(members.front());
    return collectivesOverNetwork ||
           std::any_of(members.begin(),
                       members.end(),
                       [&](NodeIndex node) { return dataCenterOf(node) != first; });
}

} // namespace geotrain
