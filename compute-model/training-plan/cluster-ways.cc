// SPDX-License-Identifier: GPL-2.0-only
// Nodes of a data centre are alike, so that the first node of each stands for all of them.
#include "training-plan/cluster-ways.h"

#include "wan/resources.h"

#include <algorithm>
#include <numeric>

namespace geotrain
{

namespace
{

std::vector<NodePair>
PairsOfFirstNodes(const Cluster& cluster)
{
    std::vector<std::uint32_t> firstNodes;
    std::uint32_t next = 0;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        firstNodes.push_back(next);
        next += cluster.NodesOf(index);
    }
    std::vector<NodePair> pairs;
    for (const std::uint32_t from : firstNodes)
    {
        for (const std::uint32_t to : firstNodes)
        {
            pairs.emplace_back(from, to);
        }
    }
    return pairs;
}

double
WindowRate(const AnalyticTransport& transport, bool crossesWan, Duration roundTrip)
{
    if (transport.connection.window == Bytes() || roundTrip == Duration())
    {
        return Way::unlimited;
    }
    const double rate =
        8.0 * static_cast<double>(transport.connection.window.Count()) / roundTrip.ToSeconds();
    const auto& most = transport.connection.mostRate;
    return crossesWan
               ? transport.connections *
                     (most ? std::min(rate, static_cast<double>(most->ToBitsPerSecond())) : rate)
               : transport.intraDcConnections * rate;
}

void
Limit(Way& way, Resources::Kind kind, double rate)
{
    switch (kind)
    {
    case Resources::Kind::Source:
        way.source = std::min(way.source, rate);
        break;
    case Resources::Kind::Destination:
        way.destination = std::min(way.destination, rate);
        break;
    case Resources::Kind::Pair:
        way.pair = std::min(way.pair, rate);
        break;
    case Resources::Kind::WanLink:
        way.link = std::min(way.link, rate);
        break;
    }
}

Way
WayOf(const NodePair& pair, const Resources& resources, const AnalyticTransport& transport)
{
    const auto [source, destination] = pair;
    Way way;
    way.isThere = true;
    way.delay = resources.Delay(source, destination);
    way.payloadShare = transport.payloadShare;
    way.window = WindowRate(transport,
                            resources.CrossesWan(source, destination),
                            resources.RoundTrip(source, destination));
    for (const std::size_t resource : resources.Of(source, destination))
    {
        const auto rate = static_cast<double>(resources.Rates()[resource].ToBitsPerSecond());
        Limit(way, resources.KindOf(resource), rate);
    }
    return way;
}

} // namespace

double
Way::PairRate() const
{
    return std::min(std::min({source, destination, pair, link}) * payloadShare, window);
}

ClusterWays::ClusterWays(const Cluster& cluster)
    : m_count(cluster.dataCenters.size()),
      m_ways(m_count * m_count)
{
    for (std::uint32_t index = 0; index < m_count; ++index)
    {
        m_nodes.push_back(cluster.NodesOf(index));
        m_gpusPerNode.push_back(cluster.dataCenters[index].gpusPerNode);
    }
    const auto pairs = PairsOfFirstNodes(cluster);
    const auto paths = cluster.Paths();
    std::vector<NodePair> used;
    for (std::uint32_t from = 0; from < m_count; ++from)
    {
        for (std::uint32_t to = 0; to < m_count; ++to)
        {
            Way& way = m_ways[from * m_count + to];
            way.isThere = cluster.NodesOf(from) > 0 && cluster.NodesOf(to) > 0 &&
                          paths->SiteDelay(from, to).has_value();
            if (way.isThere)
            {
                used.push_back(pairs[from * m_count + to]);
            }
        }
    }
    const Resources resources(cluster.wan, used, paths);
    for (std::size_t index = 0; index < m_ways.size(); ++index)
    {
        if (m_ways[index].isThere)
        {
            m_ways[index] = WayOf(pairs[index], resources, cluster.transport);
        }
    }
}

const Way&
ClusterWays::Between(std::uint32_t from, std::uint32_t to) const
{
    return m_ways.at(from * m_count + to);
}

const Way&
ClusterWays::Inside(std::uint32_t dataCenter) const
{
    return Between(dataCenter, dataCenter);
}

Crowd
ClusterWays::CrowdOf(const TrainingPlan& plan,
                     std::uint32_t from,
                     std::uint32_t to,
                     std::uint64_t senders) const
{
    const auto shared = [senders](std::uint64_t nodes)
    { return static_cast<double>((senders + nodes - 1) / nodes); };
    Crowd crowd{senders, shared(m_nodes[from]), shared(m_nodes[to])};
    crowd.onPair = shared(std::lcm(std::uint64_t{m_nodes[from]}, std::uint64_t{m_nodes[to]}));
    if (plan.Placing() == NodePlacement::Pack)
    {
        const auto packed = [&](std::uint32_t dataCenter)
        {
            const std::uint32_t slots = m_gpusPerNode[dataCenter] / plan.tensorParallel;
            return static_cast<double>(std::min<std::uint64_t>(senders, slots));
        };
        crowd.onSource = packed(from);
        crowd.onDestination = packed(to);
        crowd.onPair = std::min(crowd.onSource, crowd.onDestination);
    }
    return crowd;
}

double
ClusterWays::RateOfEach(std::uint32_t from, std::uint32_t to, const Crowd& crowd) const
{
    const Way& way = Between(from, to);
    if (from == to)
    {
        return way.PairRate() / crowd.onSource;
    }
    const double rate = std::min({way.source / crowd.onSource,
                                  way.destination / crowd.onDestination,
                                  way.link / static_cast<double>(crowd.senders)});
    return std::min(rate * way.payloadShare, way.PairRate() / crowd.onPair);
}

double
ClusterWays::NodeRateOfEach(std::uint32_t from, std::uint32_t to, const Crowd& crowd) const
{
    const Way& way = Between(from, to);
    return std::min(way.source / crowd.onSource, way.destination / crowd.onDestination) *
           way.payloadShare;
}

} // namespace geotrain
