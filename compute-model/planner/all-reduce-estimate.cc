// SPDX-License-Identifier: GPL-2.0-only
#include "planner/all-reduce-estimate.h"

#include "execution/collective-catalogue.h"
#include "training-plan/collective-times.h"
#include "training-plan/hop-times.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// Returns what goes over a way that `sharers` pieces share, of which one is `piece` and the mean is
/// `meanPiece`, until that one is over it: those that are smaller end before, and leave it the way.
double
Shared(double sharers, double piece, double meanPiece)
{
    return std::max(piece, sharers * meanPiece);
}

} // namespace

AllReduceEstimate::AllReduceEstimate(const TrainingPlan& plan,
                                     const Cluster& cluster,
                                     const ClusterWays& ways)
    : m_plan(plan),
      m_cluster(cluster),
      m_ways(ways),
      m_nodeLocalRate(static_cast<double>(NodeLocalRate(plan, cluster).ToBitsPerSecond()))
{
}

NodeDealing
AllReduceEstimate::DealingIn(std::uint32_t dataCenter) const
{
    return DealingOf(m_cluster, m_plan, m_plan.HostIn(dataCenter));
}

double
AllReduceEstimate::Seconds(std::uint32_t dataCenter, double bits, double meanBits) const
{
    if (m_plan.dataParallel == 1)
    {
        return 0;
    }
    switch (m_plan.crossDc)
    {
    case CrossDc::Pipeline:
        return Fastest([&](const CollectiveAlgorithm& algorithm)
                       { return 2 * Half(algorithm, dataCenter, bits); });
    case CrossDc::ReplicasFlat:
        return Fastest(
            [&](const CollectiveAlgorithm& algorithm)
            {
                return algorithm.hasOneSender ? FlatRing(bits, meanBits)
                                              : FlatSteps(algorithm, bits, meanBits);
            });
    case CrossDc::ReplicasHierarchical:
        return Hierarchical(dataCenter, bits, meanBits);
    }
    throw std::logic_error("an unknown way to cross data centres");
}

double
AllReduceEstimate::TiedSeconds(std::uint32_t first, std::uint32_t last, double bits) const
{
    if (m_plan.pipelineStages == 1 || bits == 0)
    {
        return 0;
    }
    const double half = bits / 2; // a ring of two has two steps of half each
    if (first != last)
    {
        const Crowd crowd = m_ways.CrowdOf(m_plan, first, last, m_plan.dataParallel);
        return 2 * (half / m_ways.RateOfEach(first, last, crowd) +
                    m_ways.Between(first, last).delay.ToSeconds());
    }
    const NodeDealing dealing = DealingIn(first);
    if (dealing.NodeOf(0, 0) == dealing.NodeOf(dealing.stages - 1, 0))
    {
        return 0; // on one node, where a copy takes no time to speak of
    }
    return 2 * (half * dealing.ReplicasOnNode() / m_ways.Inside(first).PairRate() +
                m_ways.Inside(first).delay.ToSeconds());
}

/// Returns the time of the plan's algorithm, or of the fastest one.
double
AllReduceEstimate::Fastest(const std::function<double(const CollectiveAlgorithm&)>& timeOf) const
{
    if (const CollectiveAlgorithm* const algorithm = CollectiveOf(m_plan))
    {
        return timeOf(*algorithm);
    }
    double least = std::numeric_limits<double>::infinity();
    for (const CollectiveAlgorithm* algorithm : CollectiveCatalogue())
    {
        if (algorithm->rewrite == nullptr)
        {
            least = std::min(least, timeOf(*algorithm));
        }
    }
    return least;
}

/// Returns the time of a reduce-scatter or an all-gather of the replicas in a data centre. Those of a
/// node are side by side, so that no more than a step's distance of them send to other nodes.
double
AllReduceEstimate::Half(const CollectiveAlgorithm& algorithm,
                        std::uint32_t dataCenter,
                        double bits) const
{
    const NodeDealing dealing = DealingIn(dataCenter);
    const std::uint32_t members = dealing.replicas;
    const std::uint32_t onNode = dealing.ReplicasOnNode();
    const GroupShape shape(members, members % onNode == 0 ? onNode : 0);
    const Way& inside = m_ways.Inside(dataCenter);
    double seconds = 0;
    for (std::uint32_t number = 0; members > 1 && number < algorithm.halfSteps(shape); ++number)
    {
        const auto step = algorithm.stepOf(CollectiveKind::ReduceScatter, shape, 0, number);
        const double message = bits / members * step.parts;
        if (step.staysInNode || !dealing.LeavesNode())
        {
            seconds += message / m_nodeLocalRate;
            continue;
        }
        const double sharers =
            std::min<double>(onNode, std::min(step.distance, members - step.distance));
        seconds += message * sharers / inside.PairRate() + inside.delay.ToSeconds();
    }
    return seconds;
}

/// Returns the time of a step of all stages' flat rings from node to node of a data centre, each of
/// which leaves a node once.
double
AllReduceEstimate::InsideStep(const TrainingPlan::Host& host, double piece, double meanPiece) const
{
    const NodeDealing dealing = DealingIn(host.dataCenter);
    return dealing.LeavesNode() ? Shared(dealing.RingsOnNic(), piece, meanPiece) /
                                      m_ways.Inside(host.dataCenter).PairRate()
                                : piece / m_nodeLocalRate;
}

/// Returns the time of the step to the next data centre, to which one replica's stages send.
double
AllReduceEstimate::AcrossStep(const TrainingPlan::Host& host,
                              std::uint32_t to,
                              double piece,
                              double meanPiece) const
{
    const NodeDealing dealing = DealingIn(host.dataCenter);
    std::map<std::uint32_t, std::uint32_t> stagesOn; // by node
    std::uint32_t most = 0;
    for (std::uint32_t stage = 0; stage < dealing.stages; ++stage)
    {
        most = std::max(most, ++stagesOn[dealing.NodeOf(stage, dealing.replicas - 1)]);
    }
    const std::uint64_t nodesTo = m_cluster.NodesOf(to);
    const Crowd nodes{
        stagesOn.size(), 1, static_cast<double>((stagesOn.size() + nodesTo - 1) / nodesTo), 1};
    return Shared(most, piece, meanPiece) / m_ways.RateOfEach(host.dataCenter, to, nodes);
}

/// Returns the time of a flat ring: 2(n - 1) steps. A step lasts as long as the slowest piece,
/// or as an n-th of a piece's way round the ring, if that is longer.
double
AllReduceEstimate::FlatRing(double bits, double meanBits) const
{
    const double piece = bits / m_plan.dataParallel;
    const double meanPiece = meanBits / m_plan.dataParallel;
    double slowest = 0;
    double round = 0;
    for (std::size_t index = 0; index < m_plan.hosts.size(); ++index)
    {
        const auto& host = m_plan.hosts[index];
        const auto& next = m_plan.hosts[(index + 1) % m_plan.hosts.size()];
        const NodeDealing dealing = DealingIn(host.dataCenter);
        const std::uint32_t nodes =
            dealing.LeavesNode() ? (host.count - 1) / dealing.ReplicasOnNode() : 0;
        const double inside = host.count > 1 ? InsideStep(host, piece, meanPiece) : 0;
        const double across = AcrossStep(host, next.dataCenter, piece, meanPiece);
        slowest = std::max({slowest, inside, across});
        round += nodes * (inside + m_ways.Inside(host.dataCenter).delay.ToSeconds()) + across +
                 m_ways.Between(host.dataCenter, next.dataCenter).delay.ToSeconds();
    }
    return 2.0 * (m_plan.dataParallel - 1) * std::max(slowest, round / m_plan.dataParallel);
}

/// Returns the time of the steps of another algorithm: each lasts as long as its slowest message
/// from one data centre to another, or inside one, while all stages send theirs.
double
AllReduceEstimate::FlatSteps(const CollectiveAlgorithm& algorithm,
                             double bits,
                             double meanBits) const
{
    const std::uint32_t members = m_plan.dataParallel;
    const GroupShape shape = ShapeOfReplicas(m_cluster, m_plan);
    const std::vector<std::uint32_t> dataCenters = m_plan.DataCenterOfHosted();
    double seconds = 0;
    for (std::uint32_t number = 0; number < algorithm.halfSteps(shape); ++number)
    {
        const auto step = algorithm.stepOf(CollectiveKind::ReduceScatter, shape, 0, number);
        if (step.staysInNode)
        {
            seconds += bits / members * step.parts / m_nodeLocalRate;
            continue;
        }
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> senders;
        for (std::uint32_t member = 0; member < members; ++member)
        {
            ++senders[{dataCenters[member], dataCenters[(member + step.distance) % members]}];
        }
        double slowest = 0;
        for (const auto& [ends, count] : senders)
        {
            const auto [from, to] = ends;
            const std::uint64_t all = std::uint64_t{count} * m_plan.pipelineStages;
            const auto rateOf = [&, from = from, to = to](std::uint64_t sending)
            { return m_ways.RateOfEach(from, to, m_ways.CrowdOf(m_plan, from, to, sending)); };
            const double largest = bits / rateOf(count);
            const double together = meanBits / rateOf(all);
            slowest = std::max(slowest,
                               step.parts * std::max(largest, together) / members +
                                   m_ways.Between(from, to).delay.ToSeconds());
        }
        seconds += slowest;
    }
    return 2 * seconds;
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
        const double across =
            bits / members / rateOfEach(from, to, m_ways.CrowdOf(m_plan, from, to, senders));
        slowest = std::max(slowest, across);
        round += across + m_ways.Between(from, to).delay.ToSeconds();
    }
    return 2 * (members - 1) * std::max(slowest, round / members);
}

/// Returns the time of all stages' rings inside the data centres and between them. The rings of
/// one stage are inside while those of another are between: either kind may set the pace, with
/// one ring of the other kind beside it, or the NICs that both take.
double
AllReduceEstimate::Hierarchical(std::uint32_t dataCenter, double bits, double meanBits) const
{
    const std::uint32_t members = m_plan.hosts.front().count;
    const std::uint32_t stages = m_plan.pipelineStages;
    const double shard = bits / members;
    const double inside = 2 * Half(ringCollective, dataCenter, bits);
    const double meanShard = meanBits / members;
    const NodeDealing dealing = DealingIn(dataCenter);
    const double insideOfAll = Shared(dealing.LeavesNode() ? dealing.RingsOnNic() : 1,
                                      inside,
                                      2 * Half(ringCollective, dataCenter, meanBits));
    const RateOfEach ofAll = [this](auto from, auto to, const Crowd& crowd)
    { return m_ways.RateOfEach(from, to, crowd); };
    const RateOfEach ofNodes = [this](auto from, auto to, const Crowd& crowd)
    { return m_ways.NodeRateOfEach(from, to, crowd); };
    return std::max({insideOfAll + RingAcross(shard, 1, ofAll),
                     inside + RingAcross(meanShard, stages, ofAll),
                     insideOfAll + RingAcross(meanShard, stages, ofNodes)});
}

} // namespace geotrain
