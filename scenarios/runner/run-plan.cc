#include "runner/run-plan.h"

#include "execution/warm-ups.h"
#include "schedule/instruction-streams.h"

#include <algorithm>

namespace geotrain
{

namespace
{

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
    inputs.iterations = static_cast<std::uint32_t>(resolved.run().warmup_iterations() +
                                                   resolved.run().iterations());
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

} // namespace

RunPlan
MakeRunPlan(const LoadedScenario& scenario)
{
    RunPlan plan;
    plan.execution = BuildStreams(InputsOf(scenario));
    plan.cells = CellsOf(scenario);
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
