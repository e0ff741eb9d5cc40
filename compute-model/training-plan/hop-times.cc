// SPDX-License-Identifier: GPL-2.0-only
// A hop's rate is the pair's own, times the number of pipelines of a cell that lend it their node
// pairs, and at most an even share of the slowest WAN link.
#include "training-plan/hop-times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geotrain
{

namespace
{

std::uint32_t
DataCenterOf(const Placement& placement, std::uint32_t worker)
{
    return placement.dataCenterOfReplica.empty() ? placement.dataCenterOfStage[worker]
                                                 : placement.dataCenterOfReplica.front();
}

/// Returns the payload bit/s of pipeline 0.
double
RateOf(const Way& way, const TrainingPlan& plan)
{
    const double lanes = plan.sharing == WanSharing::Temporal ? plan.cellSize : 1;
    return std::min(way.PairRate() * lanes,
                    way.link * lanes / plan.dataParallel * way.payloadShare);
}

} // namespace

BitRate
NodeLocalRate(const TrainingPlan& plan, const Cluster& cluster)
{
    double slowest = std::numeric_limits<double>::infinity();
    for (const auto& host : plan.hosts)
    {
        slowest =
            std::min(slowest, 8 * cluster.dataCenters[host.dataCenter].gpu.nvlinkBytesPerSecond);
    }
    return BitRate::BitsPerSecond(static_cast<std::int64_t>(slowest));
}

std::vector<Hop>
HopTimes(const TrainingPlan& plan,
         const Cluster& cluster,
         const ClusterWays& ways,
         const Placement& placement,
         Bytes boundary)
{
    const double bits = 8.0 * static_cast<double>(boundary.Count());
    const auto workers = WorkersOfStages(plan);
    std::vector<Hop> hops;
    for (std::size_t stage = 0; stage + 1 < workers.size(); ++stage)
    {
        const std::uint32_t sender = workers[stage];
        const std::uint32_t receiver = workers[stage + 1];
        Hop& hop = hops.emplace_back();
        if (placement.nodeOfWorker[sender] == placement.nodeOfWorker[receiver])
        {
            hop.occupancy = sender == receiver
                                ? Duration()
                                : NodeLocalRate(plan, cluster).TransmissionTime(boundary);
            continue;
        }
        const std::uint32_t from = DataCenterOf(placement, sender);
        const std::uint32_t to = DataCenterOf(placement, receiver);
        const Way& way = ways.Between(from, to);
        hop.delay = way.delay;
        hop.occupancy = Duration::Nanoseconds(
            std::llround(bits / (from == to ? way.PairRate() : RateOf(way, plan)) * 1e9));
        hop.takesTurns = from != to && plan.sharing == WanSharing::Temporal;
    }
    return hops;
}

} // namespace geotrain
