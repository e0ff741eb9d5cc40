// SPDX-License-Identifier: GPL-2.0-only
#include "planner/all-reduce-estimate.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace geotrain
{

AllReduceEstimate::AllReduceEstimate(const TrainingPlan& plan,
                                     const Cluster& cluster,
                                     const ClusterWays& ways,
                                     const RateOfEach& rateOfEach)
    : m_plan(plan),
      m_cluster(cluster),
      m_ways(ways),
      m_rateOfEach(rateOfEach ? rateOfEach
                              : [&ways](auto from, auto to, auto senders)
                       { return ways.RateOfEach(from, to, senders); })
{
}

/// Returns the time of the all-reduce of a worker's gradients by itself.
double
AllReduceEstimate::Seconds(std::uint32_t dataCenter, double bits) const
{
    if (m_plan.dataParallel == 1)
    {
        return 0;
    }
    switch (m_plan.crossDc)
    {
    case CrossDc::Pipeline:
        return 2 * HalfRing(dataCenter, bits, m_plan.dataParallel);
    case CrossDc::ReplicasFlat:
        return FlatRing(bits);
    case CrossDc::ReplicasHierarchical:
        return Hierarchical(dataCenter, bits);
    }
    throw std::logic_error("an unknown way to cross data centres");
}

/// Returns the time of a reduce-scatter or an all-gather of n = `members` in a data centre: n -
/// 1 steps, each of an n-th.
double
AllReduceEstimate::HalfRing(std::uint32_t dataCenter, double bits, std::uint32_t members) const
{
    if (members < 2)
    {
        return 0;
    }
    const std::uint32_t nodes = m_cluster.NodesOf(dataCenter);
    // Members go round the nodes, so that every step leaves each node, once for each member.
    const double sharers = nodes > 1 ? OnOneNode(members, nodes) : 1;
    const double piece = bits / members * sharers / m_ways.Inside(dataCenter).PairRate();
    return (members - 1) * (piece + m_ways.Inside(dataCenter).delay.ToSeconds());
}

/// Returns the time of a step of all stages' flat rings from node to node of a data centre.
double
AllReduceEstimate::InsideStep(const TrainingPlan::Host& host, double piece) const
{
    const std::uint32_t nodes = m_cluster.NodesOf(host.dataCenter);
    const std::uint64_t workers = std::uint64_t{m_plan.pipelineStages} * host.count;
    const double sharers = nodes > 1 ? OnOneNode(workers, nodes) : 1;
    return piece * sharers / m_ways.Inside(host.dataCenter).PairRate();
}

/// Returns the time of the step to the next data centre. One replica's stages send there, which
/// are on as many nodes as dealing out its data centre's workers in turn gives it.
double
AllReduceEstimate::AcrossStep(const TrainingPlan::Host& host, std::uint32_t to, double piece) const
{
    const std::uint32_t nodes = m_cluster.NodesOf(host.dataCenter);
    const std::uint32_t used = std::min(m_plan.pipelineStages, nodes / std::gcd(nodes, host.count));
    return piece * OnOneNode(m_plan.pipelineStages, used) / m_rateOfEach(host.dataCenter, to, used);
}

/// Returns the time of a flat ring: 2(n - 1) steps. A step lasts as long as the slowest piece,
/// or as an n-th of a piece's way round the ring, if that is longer.
double
AllReduceEstimate::FlatRing(double bits) const
{
    const double piece = bits / m_plan.dataParallel;
    double slowest = 0;
    double round = 0;
    for (std::size_t index = 0; index < m_plan.hosts.size(); ++index)
    {
        const auto& host = m_plan.hosts[index];
        const auto& next = m_plan.hosts[(index + 1) % m_plan.hosts.size()];
        const double inside = host.count > 1 ? InsideStep(host, piece) : 0;
        const double across = AcrossStep(host, next.dataCenter, piece);
        slowest = std::max({slowest, inside, across});
        round += (host.count - 1) * (inside + m_ways.Inside(host.dataCenter).delay.ToSeconds()) +
                 across + m_ways.Between(host.dataCenter, next.dataCenter).delay.ToSeconds();
    }
    return 2.0 * (m_plan.dataParallel - 1) * std::max(slowest, round / m_plan.dataParallel);
}

/// Returns the time of the all-reduce of a shard over the data centres. Every member of `stages`
/// stages has one in progress.
double
AllReduceEstimate::RingAcross(double bits, std::uint32_t stages, const RateOfEach& rateOfEach) const
{
    const auto members = static_cast<double>(m_plan.hosts.size());
    const std::uint64_t senders = std::uint64_t{stages} * m_plan.hosts.front().count;
    double slowest = 0;
    double round = 0;
    for (std::size_t index = 0; index < m_plan.hosts.size(); ++index)
    {
        const auto from = m_plan.hosts[index].dataCenter;
        const auto to = m_plan.hosts[(index + 1) % m_plan.hosts.size()].dataCenter;
        const double across = bits / members / rateOfEach(from, to, senders);
        slowest = std::max(slowest, across);
        round += across + m_ways.Between(from, to).delay.ToSeconds();
    }
    return 2 * (members - 1) * std::max(slowest, round / members);
}

/// Returns the time of all stages' rings inside the data centres and between them. The rings of
/// one stage are inside while those of another are between: either kind may set the pace, with
/// one ring of the other kind beside it, or the NICs that both take.
double
AllReduceEstimate::Hierarchical(std::uint32_t dataCenter, double bits) const
{
    const std::uint32_t members = m_plan.hosts.front().count;
    const std::uint32_t stages = m_plan.pipelineStages;
    const double shard = bits / members;
    const double inside = 2 * HalfRing(dataCenter, bits, members);
    const double insideOfAll = inside * StagesOnOneNode(dataCenter, members);
    const RateOfEach ofNodes = [this](auto from, auto to, auto senders)
    { return m_ways.NodeRateOfEach(from, to, senders); };
    return std::max({insideOfAll + RingAcross(shard, 1, m_rateOfEach),
                     inside + RingAcross(shard, stages, m_rateOfEach),
                     insideOfAll + RingAcross(shard, stages, ofNodes)});
}

/// Returns how many stages of replicas in a data centre send over a node's NIC.
double
AllReduceEstimate::StagesOnOneNode(std::uint32_t dataCenter, std::uint32_t replicas) const
{
    const std::uint32_t nodes = m_cluster.NodesOf(dataCenter);
    const std::uint64_t workers = std::uint64_t{m_plan.pipelineStages} * replicas;
    return OnOneNode(workers, nodes) / OnOneNode(replicas, nodes);
}

} // namespace geotrain
