#include "planner/plan-streams.h"

#include "placement/hierarchical-all-reduce.h"
#include "placement/placement.h"
#include "placement/replica-placement.h"
#include "planner/plan-shape.h"
#include "planner/replica-streams.h"
#include "schedule/instruction-streams.h"

#include <algorithm>
#include <map>
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

/// Each virtual stage at the speed of the data centre that hosts its worker.
std::vector<StageTiming>
TimesOfPipeline(const TrainingPlan& plan,
                const TrainingJob& job,
                const Cluster& cluster,
                const StageTable& table)
{
    std::map<std::uint32_t, std::vector<StageTiming>> timesIn;
    for (const auto& host : plan.hosts)
    {
        timesIn[host.dataCenter] = TimesIn(host.dataCenter, job, cluster, table, plan);
    }
    if (plan.HasReplicasAcross())
    {
        return timesIn.at(plan.hosts.front().dataCenter);
    }
    const auto dataCenters = plan.DataCenterOfStage();
    std::vector<StageTiming> times;
    for (const std::uint32_t worker : WorkersOfStages(plan))
    {
        times.push_back(timesIn.at(dataCenters[worker])[times.size()]);
    }
    return times;
}

/// What a message occupies the way for, and its delay, as the schedules plan with it.
Hop
HopBetween(std::uint32_t from,
           std::uint32_t to,
           const TrainingPlan& plan,
           const Cluster& cluster,
           const StageTable& table)
{
    const double bits = 8.0 * static_cast<double>(table.boundary.Count());
    Hop hop;
    double rate = 0;
    if (from == to)
    {
        hop.delay = cluster.dataCenters[from].intraDelay;
        rate = IntraDcPairRate(cluster, from);
    }
    else
    {
        const auto& path = *cluster.paths[from][to];
        const bool temporal = plan.sharing == WanSharing::Temporal;
        const double lanes = temporal ? plan.cellSize : 1;
        rate = WanPairRate(cluster, from, to) * lanes;
        for (const std::size_t link : path.links)
        {
            const auto whole = static_cast<double>(cluster.linkRates[link].ToBitsPerSecond());
            rate = std::min(rate, whole * lanes / plan.dataParallel);
        }
        hop.delay = path.delay;
        hop.takesTurns = temporal;
    }
    hop.occupancy = Duration::Seconds(bits / rate);
    return hop;
}

std::vector<Hop>
HopsOf(const TrainingPlan& plan, const Cluster& cluster, const StageTable& table)
{
    const auto workers = WorkersOfStages(plan);
    const auto dataCenters = plan.DataCenterOfStage();
    const auto dataCenterOf = [&](std::uint32_t worker)
    { return plan.HasReplicasAcross() ? plan.hosts.front().dataCenter : dataCenters[worker]; };
    std::vector<Hop> hops;
    for (std::size_t stage = 0; stage + 1 < workers.size(); ++stage)
    {
        const bool isTurn = workers[stage] == workers[stage + 1];
        hops.push_back(isTurn ? Hop()
                              : HopBetween(dataCenterOf(workers[stage]),
                                           dataCenterOf(workers[stage + 1]),
                                           plan,
                                           cluster,
                                           table));
    }
    return hops;
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

ScheduleTimes
TimesOfPlan(const TrainingPlan& plan,
            const TrainingJob& job,
            const Cluster& cluster,
            const StageTable& table)
{
    return {TimesOfPipeline(plan, job, cluster, table), HopsOf(plan, cluster, table)};
}

std::shared_ptr<const ScheduleOrder>
MakeOrder(const TrainingPlan& plan,
          const TrainingJob& job,
          const Cluster& cluster,
          const StageTable& table,
          OrderCache& orders)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    if (schedule == nullptr)
    {
        throw std::invalid_argument("there is no schedule " + plan.schedule);
    }
    return orders.Of(*schedule, {ShapeOf(plan), TimesOfPlan(plan, job, cluster, table)});
}

PlanStreams
MakePlanStreams(const TrainingPlan& plan,
                const TrainingJob& job,
                const Cluster& cluster,
                const StageTable& table,
                OrderCache& orders)
{
    const Placement placement = PlaceHosts(plan, cluster);
    PlanStreams streams;
    streams.cells = {plan.pipelineStages,
                     plan.cellSize,
                     placement.nodeOfWorker,
                     DataCenterOfNode(plan, cluster)};
    StreamInputs inputs = InputsOf(plan, table, placement);
    inputs.order = *MakeOrder(plan, job, cluster, table, orders);
    if (inputs.order.noFlush)
    {
        inputs.microbatches = plan.microbatches;
        streams.iterations = SteadyIterations(plan.pipelineStages, plan.microbatches);
        inputs.iterations = streams.iterations.Count();
    }
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
