// SPDX-License-Identifier: GPL-2.0-only
// Builds the streams of the prepared order, and finds the node pairs that they use.
#include "training-plan/plan-streams.h"

#include "execution/node-order.h"
#include "execution/warm-ups.h"
#include "schedule/instruction-streams.h"
#include "training-plan/collective-times.h"

#include <algorithm>

namespace geotrain
{

namespace
{

StreamInputs
InputsOf(const PreparedPlan& prepared,
         const TrainingJob& job,
         const TrainingPlan& plan,
         std::uint32_t iterations)
{
    StreamInputs inputs;
    inputs.order = prepared.order;
    inputs.placement = prepared.placement;
    inputs.timing = prepared.timing;
    inputs.boundary = prepared.boundary;
    inputs.gradients = prepared.gradients;
    inputs.tiedEmbeddingGradients = prepared.tiedEmbeddingGradients;
    inputs.iterations = iterations;
    inputs.microbatches = plan.microbatches;
    inputs.allReduceBuckets = job.allReduceBuckets;
    inputs.gradientBucket = job.gradientBucket * plan.tensorParallel;
    inputs.overlappedBlock = job.overlappedBlock;
    return inputs;
}

ExecutionPlan
LayeredStreams(const PreparedPlan& prepared, const TrainingPlan& plan, std::uint32_t iterations)
{
    LayeredStreamInputs inputs;
    inputs.dataParallelism = plan.dataParallelism;
    inputs.works = prepared.layeredWorks;
    inputs.workOfWorker = prepared.layeredWorkOfWorker;
    inputs.nodeOfWorker = prepared.placement.nodeOfWorker;
    inputs.iterations = iterations;
    inputs.microbatches = plan.microbatches;
    inputs.prefetch = plan.prefetch;
    inputs.contention = plan.contention;
    return BuildLayeredStreams(inputs);
}

ExecutionPlan
PipelineStreams(const PreparedPlan& prepared,
                const TrainingJob& job,
                const TrainingPlan& plan,
                std::uint32_t iterations)
{
    StreamInputs inputs = InputsOf(prepared, job, plan, iterations);
    return prepared.replicaHosts.empty()
               ? BuildStreams(inputs)
               : BuildReplicaStreams(std::move(inputs), prepared.replicaHosts);
}

CellLayout
CellsOf(const PreparedPlan& prepared, const Cluster& cluster, const TrainingPlan& plan)
{
    CellLayout cells;
    cells.stages = plan.pipelineStages;
    cells.cellSize = plan.cellSize;
    cells.nodeOfWorker = prepared.placement.nodeOfWorker;
    for (std::uint32_t site = 0; site < cluster.wan.sites.size(); ++site)
    {
        cells.dataCenterOfNode.insert(
            cells.dataCenterOfNode.end(), cluster.wan.sites[site].nodes, site);
    }
    return cells;
}

/// Sets by what algorithms the collectives of `streams` go.
void
ChooseCollectives(const TrainingPlan& plan,
                  const Cluster& cluster,
                  BitRate nodeLocalRate,
                  PlanStreams& streams)
{
    const CollectiveAlgorithm* const algorithm = CollectiveOf(plan);
    if (algorithm == nullptr)
    {
        streams.execution.chooseCollective =
            FastestCollectives(streams.execution, cluster.wan, nodeLocalRate);
    }
    else if (algorithm->rewrite != nullptr)
    {
        algorithm->rewrite(streams.execution, streams.cells.dataCenterOfNode);
    }
    else
    {
        streams.execution.chooseCollective =
            [algorithm](const CollectiveRequest&) -> const CollectiveAlgorithm&
        { return *algorithm; };
    }
}

} // namespace

PlanStreams
MakePlanStreams(const PreparedPlan& prepared,
                const TrainingJob& job,
                const Cluster& cluster,
                const TrainingPlan& plan,
                std::uint32_t iterations,
                bool collectivesOverNetwork)
{
    PlanStreams streams;
    streams.execution = plan.dataParallelism == DataParallelism::Replicated
                            ? PipelineStreams(prepared, job, plan, iterations)
                            : LayeredStreams(prepared, plan, iterations);
    OrderGroupsByNode(streams.execution);
    streams.cells = CellsOf(prepared, cluster, plan);
    ChooseCollectives(plan, cluster, prepared.nodeLocalRate, streams);
    streams.temporal = plan.sharing == WanSharing::Temporal;
    streams.collectivesOverNetwork = collectivesOverNetwork;
    streams.pairs =
        WarmUpsOf(streams.execution,
                  streams.Turns(),
                  [&streams](const auto& members) { return streams.CarriesRing(members); });
    return streams;
}

bool
PlanStreams::CarriesRing(const std::vector<NodeIndex>& members) const
{
    const auto dataCenterOf = [this](NodeIndex node) { return cells.dataCenterOfNode[node]; };
    const auto first = dataCenterOf(members.front());
    return collectivesOverNetwork ||
           std::any_of(members.begin(),
                       members.end(),
                       [&](NodeIndex node) { return dataCenterOf(node) != first; });
}

std::optional<CellLayout>
PlanStreams::Turns() const
{
    return temporal ? std::optional(cells) : std::nullopt;
}

} // namespace geotrain
