// SPDX-License-Identifier: GPL-2.0-only
// A pipeline's rate is its even share of what all pipelines have on the way at once: node pairs,
// NICs and the slowest WAN link. Under temporal sharing it has the whole cell's share for a turn.
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
        const Crowd crowd = m_ways.CrowdOf(m_plan, from, to, m_senders);
        const double alone = m_bits / m_ways.RateOfEach(from, to, crowd);
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

} // namespace geotrain
