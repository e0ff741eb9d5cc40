// SPDX-License-Identifier: GPL-2.0-only
// Builds the streams of the prepared order, and finds the node pairs that they use.
#include "training-plan/plan-streams.h"

#include "execution/node-order.h"
#include "execution/warm-ups.h"
#include "schedule/instruction-streams.h"
#include "training-plan/collective-times.h"
#include "training-plan/nic-meetings.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

ExecutionPlan
MakeLayeredStreams(const PlanToRun& run)
{
    LayeredStreamInputs inputs;
    inputs.dataParallelism = run.plan.dataParallelism;
    inputs.works = run.prepared.layeredWorks;
    inputs.workOfWorker = run.prepared.layeredWorkOfWorker;
    inputs.nodeOfWorker = run.prepared.placement.nodeOfWorker;
    inputs.iterations = run.iterations;
    inputs.microbatches = run.plan.microbatches;
    inputs.prefetch = run.plan.prefetch;
    inputs.contention = run.plan.contention;
    return BuildLayeredStreams(inputs);
}

/// Builds streams where each replica runs at the speed of its host.
ExecutionPlan
MakeReplicaStreams(StreamInputs inputs, const std::vector<ReplicaHost>& hosts)
{
    ExecutionPlan streams;
    WorkerIndex worker = 0;
    for (const ReplicaHost& host : hosts)
    {
        inputs.timing = host.timing;
        ExecutionPlan here = BuildStreams(inputs);
        if (worker == 0)
        {
            streams = here;
        }
        const WorkerIndex end = worker + host.replicas * inputs.placement.stages;
        for (; worker < end; ++worker)
        {
            streams.workers.at(worker) = std::move(here.workers[worker]);
        }
    }
    return streams;
}

ExecutionPlan
MakePipelineStreams(const PlanToRun& run)
{
    StreamInputs inputs;
    inputs.order = run.prepared.order;
    inputs.placement = run.prepared.placement;
    inputs.timing = run.prepared.timing;
    inputs.boundary = run.prepared.boundary;
    inputs.gradients = run.prepared.gradients;
    inputs.gathered = run.prepared.gathered;
    inputs.iterationOverhead = run.job.iterationOverhead;
    inputs.tiedEmbeddingGradients = run.prepared.tiedEmbeddingGradients;
    inputs.experts = run.prepared.experts;
    inputs.iterations = run.iterations;
    inputs.microbatches = run.plan.microbatches;
    inputs.allReduceBuckets = run.job.allReduceBuckets;
    inputs.gradientBucket = run.job.gradientBucket * run.plan.tensorParallel;
    inputs.overlappedBlock = run.job.overlappedBlock;
    return run.prepared.replicaHosts.empty()
               ? BuildStreams(inputs)
               : MakeReplicaStreams(std::move(inputs), run.prepared.replicaHosts);
}

CellLayout
LayOutCells(const PlanToRun& run)
{
    CellLayout cells;
    cells.stages = run.plan.pipelineStages;
    cells.cellSize = run.plan.cellSize;
    cells.nodeOfWorker = run.prepared.placement.nodeOfWorker;
    const auto& sites = run.cluster.wan.sites;
    for (std::uint32_t site = 0; site < sites.size(); ++site)
    {
        cells.dataCenterOfNode.insert(cells.dataCenterOfNode.end(), sites[site].nodes, site);
    }
    return cells;
}

/// Sets by what algorithms the collectives of `streams` go.
void
ChooseCollectives(const PlanToRun& run, PlanStreams& streams)
{
    const CollectiveAlgorithm* const algorithm = CollectiveOf(run.plan);
    if (algorithm == nullptr)
    {
        streams.execution.chooseCollective =
            FastestCollectives(streams.execution, run.cluster.wan, run.prepared.nodeLocalRate);
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
MakePlanStreams(const PlanToRun& run)
{
    PlanStreams streams;
    streams.execution = run.plan.dataParallelism == DataParallelism::Replicated
                            ? MakePipelineStreams(run)
                            : MakeLayeredStreams(run);
    OrderGroupsByNode(streams.execution);
    streams.cells = LayOutCells(run);
    ChooseCollectives(run, streams);
    streams.temporal = run.plan.sharing == WanSharing::Temporal;
    streams.collectivesOverNetwork =
        run.collectivesOverNetwork || CollectivesMeetMessages(streams.execution, streams.cells);
    streams.pairs =
        WarmUpsOf(streams.execution,
                  streams.Turns(),
                  [&streams](const auto& members) { return streams.CarriesRing(members); });
    return streams;
}

bool
PlanStreams::CarriesRing(const std::vector<NodeIndex>& members) const
{
    return collectivesOverNetwork || CrossesWan(cells, members);
}

std::optional<CellLayout>
PlanStreams::Turns() const
{
    return temporal ? std::optional(cells) : std::nullopt;
}

} // namespace geotrain
