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
SitesOf(const TrainingSpec& spec)
{
    std::vector<NodesOfSite> sites;
    NodeIndex next = 0;
    for (const auto& site : spec.cluster.wan.sites)
    {
        sites.push_back({next, site.nodes});
        next += site.nodes;
    }
    return sites;
}

/// Returns the decode node of each node: one of its data centre's nodes without a worker, in turn,
/// or the next node where every node has a worker.
std::vector<NodeIndex>
SharedDecodeNodes(const TrainingSpec& spec, const PlanStreams& plan)
{
    std::set<NodeIndex> busy;
    for (const auto& worker : plan.execution.workers)
    {
        busy.insert(worker.node);
    }
    std::vector<NodeIndex> decodeNodeOf;
    for (const auto& site : SitesOf(spec))
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
OwnDecodeNodes(const TrainingSpec& spec)
{
    std::vector<NodeIndex> decodeNodeOf;
    NodeIndex next = spec.cluster.wan.NodeCount();
    const auto sites = SitesOf(spec);
    const auto& counts = spec.inference->decodeNodes;
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

/// Returns the nodes that serve.
std::set<NodeIndex>
ServingNodes(const TrainingSpec& spec)
{
    std::set<NodeIndex> nodes;
    for (const auto& chain : spec.inference->chains.chains)
    {
        nodes.insert(chain.nodes.begin(), chain.nodes.end());
    }
    return nodes;
}

AnalyticTopology
OwnNics(const TrainingSpec& spec)
{
    AnalyticTopology topology;
    topology.payloadShare = spec.cluster.transport.payloadShare;
    const auto& sites = spec.cluster.wan.sites;
    std::vector<Duration> delays;
    const auto addNics = [&](std::size_t site, std::uint32_t count)
    {
        topology.linkRates.insert(topology.linkRates.end(), count, sites[site].nicRate);
        delays.insert(delays.end(), count, sites[site].intraDelay);
    };
    const std::size_t count = spec.cluster.dataCenters.size();
    for (std::size_t site = 0; site < count; ++site)
    {
        addNics(site, sites[site].nodes);
    }
    for (std::size_t site = 0; site < count; ++site)
    {
        addNics(site, spec.inference->decodeNodes[site]);
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

/// Returns a callback that adds to `sum` what was delivered, and then calls `delivered`.
TransferCallback
Counted(Bytes size, Bytes& sum, std::function<void()> delivered)
{
    return [size, &sum, delivered = std::move(delivered)](const TransferEvent& event)
    {
        if (event.kind == TransferEvent::Kind::Delivered)
        {
            sum += size;
            delivered();
        }
    };
}

} // namespace

ServingHardware
HardwareOf(const TrainingSpec& spec, const PlanStreams& plan)
{
    ServingHardware hardware;
    const auto serving = ServingNodes(spec);
    const auto& dataCenters = spec.cluster.dataCenters;
    const auto sites = SitesOf(spec);
    const auto decodeNodeOf = SharedDecodeNodes(spec, plan);
    std::set<NodeIndex> decoding;
    for (const NodeIndex node : serving)
    {
        decoding.insert(decodeNodeOf[node]);
    }
    for (const auto& worker : plan.execution.workers)
    {
        decoding.erase(worker.node);
    }
    for (std::size_t site = 0; site < dataCenters.size(); ++site)
    {
        const auto isHere = [&of = sites[site]](NodeIndex node)
        { return node >= of.first && node < of.first + of.count; };
        const auto own = spec.inference->decodeNodes[site];
        const bool serves = std::any_of(serving.begin(), serving.end(), isHere);
        const auto sharing = std::count_if(decoding.begin(), decoding.end(), isHere);
        const auto nodes = spec.inference->sharesNic ? static_cast<std::uint64_t>(sharing)
                           : serves                  ? own
                                                     : 0;
        hardware.decodeGpus += nodes * dataCenters[site].gpusPerNode;
        hardware.kvNics += spec.inference->sharesNic ? 0 : nodes;
    }
    hardware.kvNics += spec.inference->sharesNic ? 0 : serving.size();
    return hardware;
}

KvNetwork::KvNetwork(const FilledTraining& training)
    : m_training(training.layer),
      m_inference(*training.spec.inference)
{
    const TrainingSpec& spec = training.spec;
    const bool isShared = spec.inference->sharesNic;
    if (!isShared && m_training.GetNetwork().Kind().hasPackets)
    {
        m_ownPackets = std::make_unique<KvPacketNetworks>(training.experiment, spec);
        RouteOverPackets(spec);
        return;
    }
    if (!isShared)
    {
        m_own = std::make_unique<AnalyticNetwork>(OwnNics(spec), m_training.GetClock());
        m_ownLayer = std::make_unique<MessageLayer>(*m_own);
    }
    MessageLayer& layer = isShared ? m_training : *m_ownLayer;
    const auto decodeNodeOf =
        isShared ? SharedDecodeNodes(spec, training.plan) : OwnDecodeNodes(spec);
    for (NodeIndex node = 0; node < decodeNodeOf.size(); ++node)
    {
        m_routes.push_back({&layer, node, decodeNodeOf[node]});
    }
}

/// Sets the routes over packets. Each data centre's network counts the data centre's nodes first,
/// then its decode nodes.
void
KvNetwork::RouteOverPackets(const TrainingSpec& spec)
{
    const auto& counts = spec.inference->decodeNodes;
    const auto sites = SitesOf(spec);
    for (std::size_t site = 0; site < counts.size(); ++site)
    {
        for (NodeIndex node = 0; node < sites[site].count; ++node)
        {
            m_routes.push_back(
                {&m_ownPackets->Of(site), node, sites[site].count + node % counts[site]});
        }
    }
}

ServingTransfers
KvNetwork::Transfers()
{
    ServingTransfers transfers;
    transfers.kv =
        [this](std::size_t, NodeIndex source, Bytes size, std::function<void()> delivered)
    {
        const Route& route = m_routes[source];
        route.layer->Send(route.source,
                          route.destination,
                          size,
                          Counted(size, m_delivered, std::move(delivered)));
    };
    if (m_inference.sharesActivationNic)
    {
        transfers.activation =
            [this](std::size_t chain, std::size_t stage, Bytes size, std::function<void()> arrived)
        {
            const auto& nodes = m_inference.chains.chains[chain].nodes;
            m_training.Send(nodes[stage],
                            nodes[stage + 1],
                            size,
                            Counted(size, m_deliveredActivations, std::move(arrived)));
        };
    }
    return transfers;
}

std::vector<Network::WarmUp>
KvNetwork::PairsToWarm(const TrainingSpec& spec, const PlanStreams& plan)
{
    std::set<std::pair<NodeIndex, NodeIndex>> wanted;
    const auto decodeNodeOf = SharedDecodeNodes(spec, plan);
    for (const auto& chain : spec.inference->chains.chains)
    {
        for (std::size_t stage = 0; stage < chain.nodes.size(); ++stage)
        {
            const NodeIndex source = chain.nodes[stage];
            if (spec.inference->sharesNic)
            {
                wanted.insert({source, decodeNodeOf[source]});
            }
            if (spec.inference->sharesActivationNic && stage + 1 < chain.nodes.size())
            {
                wanted.insert({source, chain.nodes[stage + 1]});
            }
        }
    }
    for (const auto& pair : plan.pairs)
    {
        wanted.erase({pair.source, pair.destination});
    }
    std::vector<Network::WarmUp> pairs;
    for (const auto& [source, destination] : wanted)
    {
        if (source != destination)
        {
            pairs.push_back({source, destination, warmUpSize});
        }
    }
    return pairs;
}

Bytes
KvNetwork::Delivered() const
{
    return m_delivered;
}

Bytes
KvNetwork::DeliveredActivations() const
{
    return m_deliveredActivations;
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
