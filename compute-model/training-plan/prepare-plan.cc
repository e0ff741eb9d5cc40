// SPDX-License-Identifier: GPL-2.0-only
// Places the hosts of a plan on the cluster's nodes, times its stages on their GPUs, and asks its
// schedule for an order.
#include "training-plan/prepare-plan.h"

#include "placement/replica-placement.h"
#include "training-plan/hop-times.h"
#include "training-plan/layered-plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

/// Renumbers a placement. Nodes and data centres of `compact` are counted through the plan's hosts,
/// those of the result through the cluster's.
Placement
OnCluster(Placement compact, const Cluster& cluster, const TrainingPlan& plan)
{
    std::vector<NodeIndex> firstNode; // by data centre of the cluster
    NodeIndex next = 0;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        firstNode.push_back(next);
        next += cluster.NodesOf(index);
    }
    std::vector<NodeIndex> nodeOf; // by compact node
    for (const auto& host : plan.hosts)
    {
        for (std::uint32_t node = 0; node < cluster.NodesOf(host.dataCenter); ++node)
        {
            nodeOf.push_back(firstNode[host.dataCenter] + node);
        }
    }
    for (NodeIndex& node : compact.nodeOfWorker)
    {
        node = nodeOf.at(node);
    }
    for (auto* dataCenters : {&compact.dataCenterOfStage, &compact.dataCenterOfReplica})
    {
        for (std::uint32_t& dataCenter : *dataCenters)
        {
            dataCenter = plan.hosts[dataCenter].dataCenter;
        }
    }
    return compact;
}

/// Returns the times of each virtual stage in the data centre that hosts its worker.
std::vector<StageTiming>
TimesOfPipeline(const PreparedPlan& prepared,
                const std::map<std::uint32_t, std::vector<StageTiming>>& timesIn)
{
    std::vector<StageTiming> times;
    for (const std::uint32_t worker : prepared.workerOfStage)
    {
        const auto dataCenter = prepared.placement.dataCenterOfStage[worker];
        times.push_back(timesIn.at(dataCenter)[times.size()]);
    }
    return times;
}

/// Returns by stage the times of whichever replica takes longer.
std::vector<StageTiming>
SlowerOf(std::vector<StageTiming> times, const std::vector<StageTiming>& others)
{
    const auto sum = [](const StageTiming& timing)
    { return timing.forward + timing.recompute + timing.Backward(); };
    for (std::size_t stage = 0; stage < times.size(); ++stage)
    {
        times[stage] = sum(others[stage]) > sum(times[stage]) ? others[stage] : times[stage];
    }
    return times;
}

/// Times each replica by the GPUs of its own nodes.
void
AddTimesByNode(PreparedPlan& prepared,
               const TrainingJob& job,
               const Cluster& cluster,
               const TrainingPlan& plan,
               const StageTable& table)
{
    std::map<std::string, std::vector<StageTiming>> timesOn; // by GPU
    std::vector<std::string> before;                         // GPUs of the last replica's stages
    std::vector<StageTiming> slowest;
    for (std::uint32_t replica = 0; replica < plan.dataParallel; ++replica)
    {
        std::vector<std::string> gpus;
        std::vector<StageTiming> times;
        for (const std::uint32_t worker : prepared.workerOfStage)
        {
            const auto index = prepared.placement.WorkerOf(replica, worker);
            const GpuSpec& gpu = cluster.GpuOfNode(prepared.placement.nodeOfWorker[index]);
            auto found = timesOn.find(gpu.name);
            if (found == timesOn.end())
            {
                found = timesOn.emplace(gpu.name, TimesOnGpu(gpu, job, table, plan)).first;
            }
            times.push_back(found->second[times.size()]);
            gpus.push_back(gpu.name);
        }
        slowest = slowest.empty() ? times : SlowerOf(std::move(slowest), times);
        if (gpus != before)
        {
            prepared.replicaHosts.push_back({0, times});
            before = gpus;
        }
        ++prepared.replicaHosts.back().replicas;
    }
    if (!plan.HasReplicasAcross())
    {
        prepared.timing = slowest;
    }
}

void
AddTimes(PreparedPlan& prepared,
         const TrainingJob& job,
         const Cluster& cluster,
         const TrainingPlan& plan,
         const StageTable& table)
{
    if (HasOtherGpus(cluster, plan))
    {
        AddTimesByNode(prepared, job, cluster, plan, table);
        return;
    }
    std::map<std::uint32_t, std::vector<StageTiming>> timesIn;
    for (const auto& host : plan.hosts)
    {
        timesIn[host.dataCenter] = TimesIn(host.dataCenter, job, cluster, table, plan);
        if (plan.HasReplicasAcross())
        {
            prepared.replicaHosts.push_back({host.count, timesIn[host.dataCenter]});
        }
    }
    if (!plan.HasReplicasAcross())
    {
        prepared.timing = TimesOfPipeline(prepared, timesIn);
    }
}

ScheduleOrder
MakeOrder(const TrainingPlan& plan, const ScheduleTimes& times, OrderCache* orders)
{
    if (plan.customOrder)
    {
        return *plan.customOrder;
    }
    const ScheduleEntry& schedule = ScheduleOf(plan);
    const ScheduleRequest request{ShapeOf(plan), times};
    return orders != nullptr ? *orders->Of(schedule, request) : MakeSchedule(schedule, request);
}

} // namespace

bool
HasOtherGpus(const Cluster& cluster, const TrainingPlan& plan)
{
    return std::any_of(plan.hosts.begin(),
                       plan.hosts.end(),
                       [&cluster](const TrainingPlan::Host& host)
                       { return !cluster.dataCenters[host.dataCenter].otherGpus.empty(); });
}

NodeDealing
DealingOf(const Cluster& cluster, const TrainingPlan& plan, const TrainingPlan::Host& host)
{
    const bool isAcross = plan.HasReplicasAcross();
    return {cluster.NodesOf(host.dataCenter),
            cluster.dataCenters.at(host.dataCenter).gpusPerNode / plan.tensorParallel,
            isAcross ? plan.pipelineStages : host.count,
            isAcross ? host.count : plan.dataParallel,
            plan.Placing()};
}

Placement
PlacePlan(const Cluster& cluster, const TrainingPlan& plan)
{
    PlacementRequest request;
    request.pipelineStages = plan.pipelineStages;
    request.dataParallel = plan.dataParallel;
    request.tensorParallel = plan.tensorParallel;
    request.placement = plan.Placing();
    std::vector<std::uint32_t> replicas;
    for (const auto& host : plan.hosts)
    {
        request.dataCenters.push_back({cluster.NameOf(host.dataCenter),
                                       cluster.NodesOf(host.dataCenter),
                                       cluster.dataCenters.at(host.dataCenter).gpusPerNode,
                                       host.count});
        replicas.push_back(host.count);
    }
    return OnCluster(plan.HasReplicasAcross() ? PlaceReplicas(request, replicas) : Place(request),
                     cluster,
                     plan);
}

PreparedPlan
PreparePlan(const TrainingJob& job,
            const Cluster& cluster,
            const TrainingPlan& plan,
            const PlanCaches& caches)
{
    std::optional<StageTable> ownTable;
    std::optional<ClusterWays> ownWays;
    const StageTable& table =
        caches.table ? *caches.table : ownTable.emplace(MakeStageTable(job, cluster, plan));
    const ClusterWays& ways = caches.ways ? *caches.ways : ownWays.emplace(cluster);
    if (!table.refusal.empty())
    {
        throw std::invalid_argument(table.refusal);
    }
    PreparedPlan prepared;
    prepared.placement = PlacePlan(cluster, plan);
    prepared.workerOfStage = WorkersOfStages(plan);
    prepared.shares = table.shares;
    prepared.gradients = table.gradients;
    prepared.gathered = table.gathered;
    prepared.boundary = table.boundary;
    prepared.experts = table.experts;
    prepared.tiedEmbeddingGradients = table.tiedEmbeddingGradients;
    prepared.nodeLocalRate = NodeLocalRate(plan, cluster);
    AddTimes(prepared, job, cluster, plan, table);
    prepared.hops = HopTimes(plan, cluster, ways, prepared.placement, table.boundary);
    prepared.order = MakeOrder(plan, prepared.Times(), caches.orders);
    prepared.memory = MemoryByWorker(plan, job, table, prepared.order.activationCap);
    if (plan.dataParallelism != DataParallelism::Replicated)
    {
        AddLayers(job, cluster, plan, prepared);
    }
    const std::vector<std::uint32_t> one(plan.pipelineStages, 1);
    for (const StageMemory& memory : MemoryByWorker(plan, job, table, one))
    {
        prepared.activation.push_back(memory.activations);
    }
    return prepared;
}

} // namespace geotrain
