// SPDX-License-Identifier: GPL-2.0-only
#include "planner/pipeline-time.h"

#include "schedule/order-simulation.h"
#include "training-plan/hop-times.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace geotrain
{

namespace
{

/// Returns the makespan of the plan's order with these times of stages and hops.
Duration
Makespan(const TrainingPlan& plan,
         const PreparedPlan& prepared,
         const std::vector<StageTiming>& timing,
         std::vector<Hop> hops)
{
    ScheduleRequest request{ShapeOf(plan), {timing, std::move(hops)}};
    request.cellSize = plan.sharing == WanSharing::Temporal ? plan.cellSize : 1;
    return SimulateDeviations(prepared.order, request).Makespan();
}

/// Returns the plan with a data centre's replicas before all others.
TrainingPlan
WithHostFirst(TrainingPlan plan, std::size_t host)
{
    std::rotate(plan.hosts.begin(),
                plan.hosts.begin() + static_cast<std::ptrdiff_t>(host),
                plan.hosts.end());
    return plan;
}

/// Returns all that a makespan of one order depends on.
std::vector<std::int64_t>
KeyOf(const std::vector<StageTiming>& timing, const std::vector<Hop>& hops)
{
    std::vector<std::int64_t> key;
    for (const StageTiming& stage : timing)
    {
        for (const Duration time :
             {stage.forward, stage.recompute, stage.backwardInput, stage.backwardWeight})
        {
            key.push_back(time.ToNanoseconds());
        }
    }
    for (const Hop& hop : hops)
    {
        for (const Duration time : {hop.delay, hop.occupancy, hop.nodeOccupancy})
        {
            key.push_back(time.ToNanoseconds());
        }
    }
    return key;
}

/// Returns the makespan of the slowest of replicas that are in several data centres.
Duration
SlowestReplica(const TrainingPlan& plan,
               const PreparedPlan& prepared,
               const Cluster& cluster,
               const ClusterWays& ways,
               const StageTable& table)
{
    Duration slowest;
    std::set<std::vector<std::int64_t>> timed; // replicas that are alike are timed once
    std::size_t run = 0;                       // of replicas that have the same times
    std::uint32_t leftOfRun = prepared.replicaHosts.front().replicas;
    for (std::size_t index = 0; index < plan.hosts.size(); ++index)
    {
        const TrainingPlan there = WithHostFirst(plan, index);
        const Placement placement = PlacePlan(cluster, there);
        auto hops = HopTimes(there, cluster, ways, placement, table.boundary);
        AddNodeOccupancy(there, ways, placement, table.boundary, hops);
        for (std::uint32_t left = plan.hosts[index].count; left > 0;)
        {
            if (leftOfRun == 0)
            {
                leftOfRun = prepared.replicaHosts[++run].replicas;
            }
            const auto& timing = prepared.replicaHosts[run].timing;
            if (timed.insert(KeyOf(timing, hops)).second)
            {
                slowest = std::max(slowest, Makespan(plan, prepared, timing, hops));
            }
            const std::uint32_t taken = std::min(left, leftOfRun);
            left -= taken;
            leftOfRun -= taken;
        }
    }
    return slowest;
}

} // namespace

Duration
PipelineTime(const TrainingPlan& plan,
             const PreparedPlan& prepared,
             const Cluster& cluster,
             const ClusterWays& ways,
             const StageTable& table,
             HopProbe& probe)
{
    if (plan.HasReplicasAcross())
    {
        return SlowestReplica(plan, prepared, cluster, ways, table);
    }
    auto hops = probe.Measured(prepared.hops, plan, table);
    AddNodeOccupancy(plan, ways, prepared.placement, table.boundary, hops);
    AddSharedLinks(plan, ways, prepared.placement, table.boundary, hops);
    return Makespan(plan, prepared, prepared.timing, std::move(hops));
}

} // namespace geotrain
