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
    return 8.0 * static_cast<double>(transport.connection.window.Count()) *
           (crossesWan ? transport.connections : transport.intraDcConnections) /
           roundTrip.ToSeconds();
}

void
Limit(Way& way, std::size_t resource, Resources::Kind kind, double rate)
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
        way.links.push_back({resource, rate});
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
    way.roundTrip = resources.RoundTrip(source, destination);
    way.payloadShare = transport.payloadShare;
    way.window = WindowRate(transport, resources.CrossesWan(source, destination), way.roundTrip);
    for (const std::size_t resource : resources.Of(source, destination))
    {
        const auto rate = static_cast<double>(resources.Rates()[resource].ToBitsPerSecond());
        Limit(way, resource, resources.KindOf(resource), rate);
    }
    return way;
}

} // namespace

double
Way::PairRate() const
{
    return std::min(std::min({source, destination, pair, link}) * payloadShare, window);
}

double
OnOneNode(std::uint64_t workers, std::uint32_t nodes)
{
    return static_cast<double>((workers + nodes - 1) / nodes);
}

ClusterWays::ClusterWays(const Cluster& cluster)
    : m_count(cluster.dataCenters.size()),
      m_ways(m_count * m_count)
{
    for (std::uint32_t index = 0; index < m_count; ++index)
    {
        m_nodes.push_back(cluster.NodesOf(index));
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

double
ClusterWays::RateOfEach(std::uint32_t from, std::uint32_t to, std::uint64_t senders) const
{
    const Way& way = Between(from, to);
    const double onSender = OnOneNode(senders, m_nodes[from]);
    if (from == to)
    {
        return way.PairRate() / onSender;
    }
    const double onReceiver = OnOneNode(senders, m_nodes[to]);
    const double rate = std::min({way.source / onSender,
                                  way.destination / onReceiver,
                                  way.link / static_cast<double>(senders)});
    const std::uint64_t pairs = std::lcm(std::uint64_t{m_nodes[from]}, std::uint64_t{m_nodes[to]});
    const auto onOnePair = static_cast<double>((senders + pairs - 1) / pairs);
    return std::min(rate * way.payloadShare, way.PairRate() / onOnePair);
}

double
ClusterWays::NodeRateOfEach(std::uint32_t from, std::uint32_t to, std::uint64_t senders) const
{
    const Way& way = Between(from, to);
    return std::min(way.source / OnOneNode(senders, m_nodes.at(from)),
                    way.destination / OnOneNode(senders, m_nodes.at(to))) *
           way.payloadShare;
}

} // namespace geotrain
