// SPDX-License-Identifier: GPL-2.0-only
// A pipeline's rate is its even share of what all pipelines have on the way at once: node pairs,
// NICs and the slowest WAN link. Under temporal sharing it has the whole cell's share for a turn.
#include "training-plan/hop-times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

/// Returns how many workers of a stage send at once from a data centre.
std::uint64_t
SendersOf(const TrainingPlan& plan)
{
    return plan.HasReplicasAcross() ? plan.hosts.front().count : plan.dataParallel;
}

/// HopMaker makes the hops between nodes.
class HopMaker
{
  public:
    HopMaker(const TrainingPlan& plan, const Cluster& cluster, const ClusterWays& ways, Bytes size)
        : m_plan(plan),
          m_cluster(cluster),
          m_ways(ways),
          m_bits(8.0 * static_cast<double>(size.Count())),
          m_senders(SendersOf(plan))
    {
    }

    Hop Of(std::uint32_t from, std::uint32_t to) const
    {
        Hop hop;
        hop.delay = m_ways.Between(from, to).delay;
        hop.takesTurns = from != to && m_plan.sharing == WanSharing::Temporal;
        const double alone = m_bits / m_ways.RateOfEach(from, to, m_senders);
        hop.occupancy =
            Duration::Nanoseconds(std::llround((hop.takesTurns ? Turn(from, alone) : alone) * 1e9));
        if (hop.takesTurns && m_plan.cellSize > 1)
        {
            // A message is there before its turn has been passed on.
            const Duration pass = m_cluster.turnLatency;
            hop.occupancy = hop.occupancy + pass;
            hop.delay = std::max(Duration(), hop.delay - pass);
        }
        return hop;
    }

  private:
    /// Returns the seconds of a turn: all pipelines of the cell lend their node pairs, and the
    /// sender's node scatters what is not its own part.
    double Turn(std::uint32_t from, double alone) const
    {
        const double cell = m_plan.cellSize;
        const double scatter = m_bits * (cell - 1) / cell / m_ways.Inside(from).PairRate();
        return std::max(alone / cell, scatter);
    }

    const TrainingPlan& m_plan;
    const Cluster& m_cluster;
    const ClusterWays& m_ways;
    double m_bits;
    std::uint64_t m_senders;
};

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
    const HopMaker maker(plan, cluster, ways, boundary);
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
        hop = maker.Of(DataCenterOf(placement, sender), DataCenterOf(placement, receiver));
    }
    return hops;
}

void
AddNodeOccupancy(const TrainingPlan& plan,
                 const ClusterWays& ways,
                 const Placement& placement,
                 Bytes boundary,
                 std::vector<Hop>& hops)
{
    const double bits = 8.0 * static_cast<double>(boundary.Count());
    const auto workers = WorkersOfStages(plan);
    std::map<std::uint32_t, double> ofWorker; // messages over the node's ports, of each microbatch
    std::map<NodeIndex, double> ofNode;
    std::vector<bool> isInside;
    for (std::size_t stage = 0; stage + 1 < workers.size(); ++stage)
    {
        const std::uint32_t sender = workers[stage];
        const std::uint32_t receiver = workers[stage + 1];
        const NodeIndex from = placement.nodeOfWorker[sender];
        const NodeIndex to = placement.nodeOfWorker[receiver];
        isInside.push_back(DataCenterOf(placement, sender) == DataCenterOf(placement, receiver) &&
                           from != to);
        if (isInside.back())
        {
            ++ofWorker[sender];
            ++ofWorker[receiver];
            ++ofNode[from];
            ++ofNode[to];
        }
    }
    std::map<NodeIndex, double> ofBusiest; // of the node's workers
    for (const auto& [worker, messages] : ofWorker)
    {
        double& most = ofBusiest[placement.nodeOfWorker[worker]];
        most = std::max(most, messages);
    }
    for (std::size_t stage = 0; stage < isInside.size(); ++stage)
    {
        if (isInside[stage])
        {
            const std::uint32_t dataCenter = DataCenterOf(placement, workers[stage]);
            const double rate = ways.NodeRateOfEach(dataCenter, dataCenter, SendersOf(plan));
            const NodeIndex from = placement.nodeOfWorker[workers[stage]];
            const NodeIndex to = placement.nodeOfWorker[workers[stage + 1]];
            // The node's other stages have their messages for each of this one's.
            const double sharers =
                std::max(ofNode[from] / ofBusiest[from], ofNode[to] / ofBusiest[to]);
            hops[stage].nodeOccupancy = Duration::Seconds(sharers * bits / rate);
        }
    }
}

void
AddSharedLinks(const TrainingPlan& plan,
               const ClusterWays& ways,
               const Placement& placement,
               Bytes boundary,
               std::vector<Hop>& hops)
{
    if (plan.HasReplicasAcross())
    {
        return;
    }
    const auto workers = WorkersOfStages(plan);
    const auto wayOf = [&](std::size_t from, std::size_t to) -> const Way&
    {
        return ways.Between(placement.dataCenterOfStage[workers[from]],
                            placement.dataCenterOfStage[workers[to]]);
    };
    std::map<std::size_t, std::uint32_t> messages; // of a microbatch, by link
    for (std::size_t stage = 0; stage < hops.size(); ++stage)
    {
        for (const Way* way : {&wayOf(stage, stage + 1), &wayOf(stage + 1, stage)})
        {
            for (const Way::Link& link : way->links)
            {
                ++messages[link.number];
            }
        }
    }
    const double sharers = static_cast<double>(plan.dataParallel) /
                           (plan.sharing == WanSharing::Temporal ? plan.cellSize : 1);
    const double bits = 8.0 * static_cast<double>(boundary.Count()) * sharers;
    const auto sharedOn = [&](const Way& way)
    {
        std::vector<SharedLink> shared;
        for (const Way::Link& link : way.links)
        {
            if (messages[link.number] > 1)
            {
                shared.push_back(
                    {link.number, Duration::Seconds(bits / (link.rate * way.payloadShare))});
            }
        }
        return shared;
    };
    for (std::size_t stage = 0; stage < hops.size(); ++stage)
    {
        hops[stage].linksDown = sharedOn(wayOf(stage, stage + 1));
        hops[stage].linksUp = sharedOn(wayOf(stage + 1, stage));
    }
}

} // namespace geotrain
