// SPDX-License-Identifier: GPL-2.0-only
#include "runner/kv-network.h"

#include <algorithm>
#include <set>
#include <utility>

namespace geotrain
{

namespace
{

// Size of the message that warms the connections of a node pair.
constexpr Bytes warmUpSize = Bytes::Of(1000000);

/// NodesOfSite are the nodes of one site: the first, and their number.
struct NodesOfSite
{
    NodeIndex first = 0;
    std::uint32_t count = 0;
};

std::vector<NodesOfSite>
SitesOf(const LoadedScenario& scenario)
{
    std::vector<NodesOfSite> sites;
    NodeIndex next = 0;
    for (const auto& site : scenario.cluster.wan.sites)
    {
        sites.push_back({next, site.nodes});
        next += site.nodes;
    }
    return sites;
}

/// Returns the decode node of each node: one of its data centre's nodes without a worker, in turn,
/// or the next node where every node has a worker.
std::vector<NodeIndex>
SharedDecodeNodes(const LoadedScenario& scenario, const PlanStreams& plan)
{
    std::set<NodeIndex> busy;
    for (const auto& worker : plan.execution.workers)
    {
        busy.insert(worker.node);
    }
    std::vector<NodeIndex> decodeNodeOf;
    for (const auto& site : SitesOf(scenario))
    {
        std::vector<NodeIndex> idle;
        for (NodeIndex node = site.first; node < site.first + site.count; ++node)
        {
            if (busy.count(node) == 0)
            {
                idle.push_back(node);
            }
        }
        for (std::uint32_t i = 0; i < site.count; ++i)
        {
            decodeNodeOf.push_back(idle.empty() ? site.first + (i + 1) % site.count
                                                : idle[i % idle.size()]);
        }
    }
    return decodeNodeOf;
}

/// Returns the decode node of each node. Nodes keep their numbers; the decode nodes of all data
/// centres follow.
std::vector<NodeIndex>
OwnDecodeNodes(const LoadedScenario& scenario)
{
    std::vector<NodeIndex> decodeNodeOf;
    NodeIndex next = scenario.cluster.wan.NodeCount();
    const auto sites = SitesOf(scenario);
    const auto& counts = scenario.inference->decodeNodes;
    for (std::size_t site = 0; site < sites.size(); ++site)
    {
        const std::uint32_t count = site < counts.size() ? counts[site] : 1;
        for (std::uint32_t i = 0; i < sites[site].count; ++i)
        {
            decodeNodeOf.push_back(next + i % count);
        }
        next += count;
    }
    return decodeNodeOf;
}

AnalyticTopology
OwnNics(const LoadedScenario& scenario)
{
    AnalyticTopology topology;
    topology.payloadShare = scenario.cluster.transport.payloadShare;
    const auto& sites = scenario.cluster.wan.sites;
    std::vector<Duration> delays;
    const auto addNics = [&](std::size_t site, std::uint32_t count)
    {
        topology.linkRates.insert(topology.linkRates.end(), count, sites[site].nicRate);
        delays.insert(delays.end(), count, sites[site].intraDelay);
    };
    const std::size_t count = scenario.cluster.dataCenters.size();
    for (std::size_t site = 0; site < count; ++site)
    {
        addNics(site, sites[site].nodes);
    }
    for (std::size_t site = 0; site < count; ++site)
    {
        addNics(site, scenario.inference->decodeNodes[site]);
    }
    topology.pathOf = [delays](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path;
        path.links = {source, destination};
        path.delay = delays[source];
        path.roundTrip = path.delay * 2;
        return path;
    };
    return topology;
}

} // namespace

KvNetwork::KvNetwork(const LoadedScenario& scenario,
                     const PlanStreams& plan,
                     MessageLayer& training)
{
    const bool isShared = scenario.inference->sharesNic;
    if (!isShared && training.GetNetwork().Kind().hasPackets)
    {
        m_ownPackets = std::make_unique<KvPacketNetworks>(scenario);
        RouteOverPackets(scenario);
        return;
    }
    if (!isShared)
    {
        m_own = std::make_unique<AnalyticNetwork>(OwnNics(scenario), training.GetClock());
        m_ownLayer = std::make_unique<MessageLayer>(*m_own);
    }
    MessageLayer& layer = isShared ? training : *m_ownLayer;
    const auto decodeNodeOf =
        isShared ? SharedDecodeNodes(scenario, plan) : OwnDecodeNodes(scenario);
    for (NodeIndex node = 0; node < decodeNodeOf.size(); ++node)
    {
        m_routes.push_back({&layer, node, decodeNodeOf[node]});
    }
}

/// Sets the routes over packets. Each data centre's network counts the data centre's nodes first,
/// then its decode nodes.
void
KvNetwork::RouteOverPackets(const LoadedScenario& scenario)
{
    const auto& counts = scenario.inference->decodeNodes;
    const auto sites = SitesOf(scenario);
    for (std::size_t site = 0; site < counts.size(); ++site)
    {
        for (NodeIndex node = 0; node < sites[site].count; ++node)
        {
            m_routes.push_back(
                {&m_ownPackets->Of(site), node, sites[site].count + node % counts[site]});
        }
    }
}

KvTransfer
KvNetwork::Transfer()
{
    return [this](std::size_t, NodeIndex source, Bytes size, std::function<void()> delivered)
    {
        const Route& route = m_routes[source];
        route.layer->Send(route.source,
                          route.destination,
                          size,
                          [this, size, delivered = std::move(delivered)](const TransferEvent& event)
                          {
                              if (event.kind == TransferEvent::Kind::Delivered)
                              {
                                  m_delivered += size;
                                  delivered();
                              }
                          });
    };
}

std::vector<Network::WarmUp>
KvNetwork::PairsToWarm(const LoadedScenario& scenario, const PlanStreams& plan)
{
    std::vector<Network::WarmUp> pairs;
    if (!scenario.inference->sharesNic)
    {
        return pairs;
    }
    const auto decodeNodeOf = SharedDecodeNodes(scenario, plan);
    std::set<NodeIndex> sources;
    for (const auto& chain : scenario.inference->chains.chains)
    {
        sources.insert(chain.nodes.begin(), chain.nodes.end());
    }
    for (const NodeIndex source : sources)
    {
        const bool isKnown = std::any_of(plan.pairs.begin(),
                                         plan.pairs.end(),
                                         [&](const Network::WarmUp& pair) {
                                             return pair.source == source &&
                                                    pair.destination == decodeNodeOf[source];
                                         });
        if (!isKnown && decodeNodeOf[source] != source)
        {
            pairs.push_back({source, decodeNodeOf[source], warmUpSize});
        }
    }
    return pairs;
}

Bytes
KvNetwork::Delivered() const
{
    return m_delivered;
}

std::uint64_t
KvNetwork::Packets() const
{
    return m_ownPackets ? m_ownPackets->Packets() : 0;
}

void
KvNetwork::CheckConservation() const
{
    if (m_ownPackets)
    {
        m_ownPackets->CheckConservation();
    }
}

} // namespace geotrain
