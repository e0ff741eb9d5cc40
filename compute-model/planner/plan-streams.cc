#include "planner/plan-streams.h"

#include "placement/hierarchical-all-reduce.h"
#include "placement/placement.h"
#include "placement/replica-placement.h"
#include "planner/replica-streams.h"
#include "schedule/instruction-streams.h"
#include "schedule/schedule-catalogue.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

Placement
PlaceHosts(const TrainingPlan& plan, const Cluster& cluster)
{
    PlacementRequest request;
    request.pipelineStages = plan.pipelineStages;
    request.dataParallel = plan.dataParallel;
    request.tensorParallel = plan.tensorParallel;
    std::vector<std::uint32_t> replicas;
    for (const auto& host : plan.hosts)
    {
        const auto& dataCenter = cluster.dataCenters.at(host.dataCenter);
        request.dataCenters.push_back(
            {dataCenter.name, dataCenter.nodes, dataCenter.gpusPerNode, {}});
        request.dataCenters.back().stages = host.count;
        replicas.push_back(host.count);
    }
    return plan.HasReplicasAcross() ? PlaceReplicas(request, replicas) : Place(request);
}

std::vector<std::uint32_t>
DataCenterOfNode(const TrainingPlan& plan, const Cluster& cluster)
{
    std::vector<std::uint32_t> dataCenterOfNode;
    for (const auto& host : plan.hosts)
    {
        dataCenterOfNode.insert(
            dataCenterOfNode.end(), cluster.dataCenters[host.dataCenter].nodes, host.dataCenter);
    }
    return dataCenterOfNode;
}

StreamInputs
InputsOf(const TrainingPlan& plan, const StageTable& table, const Placement& placement)
{
    StreamInputs inputs;
    inputs.placement = placement;
    inputs.boundary = table.boundary;
    inputs.gradients = table.gradients;
    inputs.tiedEmbeddingGradients = table.tiedEmbeddingGradients;
    inputs.placement.replicas = plan.dataParallel;
    return inputs;
}

/// Each stage at the speed of the data centre that hosts it.
std::vector<StageTiming>
TimesOfPipeline(const TrainingPlan& plan,
                const TrainingJob& job,
                const Cluster& cluster,
                const StageTable& table)
{
    std::vector<StageTiming> times;
    for (const auto& host : plan.hosts)
    {
        const auto here = TimesIn(host.dataCenter, job, cluster, table, plan);
        const auto first = static_cast<std::ptrdiff_t>(times.size());
        times.insert(times.end(),
                     here.begin() + first,
                     here.begin() + first + static_cast<std::ptrdiff_t>(host.count));
    }
    return times;
}

/// Each replica at the speed of its data centre.
std::vector<ReplicaHost>
HostsOfReplicas(const TrainingPlan& plan,
                const TrainingJob& job,
                const Cluster& cluster,
                const StageTable& table)
{
    std::vector<ReplicaHost> hosts;
    for (const auto& host : plan.hosts)
    {
        hosts.push_back({host.count, TimesIn(host.dataCenter, job, cluster, table, plan)});
    }
    return hosts;
}

} // namespace

ScheduleOrder
MakeOrder(const TrainingPlan& plan,
          const TrainingJob& /*job*/,
          const Cluster& /*cluster*/,
          const StageTable& /*table*/)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    if (schedule == nullptr)
    {
        throw std::invalid_argument("there is no schedule " + plan.schedule);
    }
    ScheduleRequest request;
    request.stages = plan.pipelineStages;
    request.microbatches = plan.microbatches;
    request.warmupFactor = plan.warmupFactor;
    return schedule->make(request);
}

PlanStreams
MakePlanStreams(const TrainingPlan& plan,
                const TrainingJob& job,
                const Cluster& cluster,
                const StageTable& table)
{
    const Placement placement = PlaceHosts(plan, cluster);
    PlanStreams streams;
    streams.cells = {plan.pipelineStages,
                     plan.cellSize,
                     placement.nodeOfWorker,
                     DataCenterOfNode(plan, cluster)};
    StreamInputs inputs = InputsOf(plan, table, placement);
    inputs.order = MakeOrder(plan, job, cluster, table);
    if (plan.HasReplicasAcross())
    {
        streams.execution =
            BuildReplicaStreams(std::move(inputs), HostsOfReplicas(plan, job, cluster, table));
    }
    else
    {
        inputs.timing = TimesOfPipeline(plan, job, cluster, table);
        streams.execution = BuildStreams(inputs);
    }
    if (plan.crossDc == CrossDc::ReplicasHierarchical)
    {
        UseHierarchicalAllReduce(streams.execution, streams.cells.dataCenterOfNode);
    }
    return streams;
}

} // namespace geotrain
