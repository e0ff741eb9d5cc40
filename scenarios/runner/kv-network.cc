// SPDX-License-Identifier: GPL-2.0-only
#include "runner/kv-network.h"

#include "timing/kernel-timing.h"

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

/// Returns the second network of one data centre, without a WAN.
WanTopology
SecondNics(const TrainingSpec& spec, std::size_t dataCenter)
{
    WanTopology topology;
    topology.mtu = spec.cluster.wan.mtu;
    topology.portQueue = spec.cluster.wan.portQueue;
    WanTopology::Site site = spec.cluster.wan.sites[dataCenter];
    site.name += " inference";
    site.nodes += spec.inference->decodeNodes[dataCenter];
    topology.sites.push_back(site);
    return topology;
}

/// Returns such a network of the NICs alone.
AnalyticTopology
AnalyticNics(const WanTopology& own, double payloadShare)
{
    const WanTopology::Site& site = own.sites.front();
    AnalyticTopology topology;
    topology.payloadShare = payloadShare;
    topology.linkRates.assign(site.nodes, site.nicRate);
    topology.pathOf = [delay = site.intraDelay](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path;
        path.links = {source, destination};
        path.delay = delay;
        path.roundTrip = delay * 2;
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

/// Times what a step of decoding reads on a decode node, which is like the nodes that serve first.
void
TimeDecoding(const TrainingSpec& spec, ServingHardware& hardware)
{
    const InferenceSection& inference = *spec.inference;
    const TransformerSpec& model = inference.request.model;
    const NodeIndex like = inference.chains.chains.front().nodes.front();
    const GpuSpec& gpu = spec.cluster.GpuOfNode(like);
    const auto gpus = spec.cluster.dataCenters[spec.cluster.wan.SiteOf(like)].gpusPerNode;
    const auto secondsOf = [&](Bytes bytes)
    { return KernelTiming(gpu).MemoryTraffic(static_cast<double>(bytes.Count())) / gpus; };
    Bytes weights;
    Bytes cache;
    for (const StageShare& share : inference.chains.shares)
    {
        weights += ServingWeights(model, share, 1);
        cache += KvCacheBytes(model, share, 1, 1);
    }
    hardware.decodeStepSeconds = secondsOf(weights);
    hardware.decodeTokenSeconds = secondsOf(cache);
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
        hardware.decodeNodes += nodes;
        hardware.kvNics += spec.inference->sharesNic ? 0 : nodes;
    }
    hardware.kvNics += spec.inference->sharesNic ? 0 : serving.size();
    TimeDecoding(spec, hardware);
    return hardware;
}

KvNetwork::KvNetwork(const FilledTraining& training)
    : m_training(training.layer),
      m_inference(*training.spec.inference)
{
    if (!m_inference.sharesNic)
    {
        AddOwnNetworks(training);
        return;
    }
    const auto decodeNodeOf = SharedDecodeNodes(training.spec, training.plan);
    for (NodeIndex node = 0; node < decodeNodeOf.size(); ++node)
    {
        m_routes.push_back({&m_training, node, decodeNodeOf[node]});
    }
}

void
KvNetwork::AddOwnNetworks(const FilledTraining& training)
{
    const TrainingSpec& spec = training.spec;
    const bool hasPackets = m_training.GetNetwork().Kind().hasPackets;
    MessageLayerSettings settings;
    settings.chunkSize = spec.cluster.chunk;
    const auto& counts = m_inference.decodeNodes;
    const auto sites = SitesOf(spec);
    for (std::size_t site = 0; site < counts.size(); ++site)
    {
        const WanTopology own = SecondNics(spec, site);
        if (hasPackets)
        {
            m_ownPackets.emplace_back(
                own, TransportOf(training.experiment), training.experiment.provenance.file);
        }
        else
        {
            m_ownAnalytic.emplace_back(AnalyticNics(own, spec.cluster.transport.payloadShare),
                                       m_training.GetClock());
        }
        Network& network =
            hasPackets ? static_cast<Network&>(m_ownPackets.back().Get()) : m_ownAnalytic.back();
        MessageLayer& layer = m_ownLayers.emplace_back(network, settings);
        for (NodeIndex node = 0; node < sites[site].count; ++node)
        {
            m_routes.push_back({&layer, node, sites[site].count + node % counts[site]});
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
    std::uint64_t packets = 0;
    for (const PacketNetwork& own : m_ownPackets)
    {
        packets += own.IntraDcPackets();
    }
    return packets;
}

void
KvNetwork::CheckConservation() const
{
    for (const PacketNetwork& own : m_ownPackets)
    {
        own.Get().CheckConservation();
    }
}

} // namespace geotrain
