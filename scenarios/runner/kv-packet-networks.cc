// SPDX-License-Identifier: GPL-2.0-only
#include "runner/kv-packet-networks.h"

namespace geotrain
{

namespace
{

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

} // namespace

KvPacketNetworks::KvPacketNetworks(const Experiment& experiment, const TrainingSpec& spec)
{
    MessageLayerSettings settings;
    settings.chunkSize = spec.cluster.chunk;
    for (std::size_t i = 0; i < spec.inference->decodeNodes.size(); ++i)
    {
        m_sites.emplace_back(
            SecondNics(spec, i), TransportOf(experiment), experiment.provenance.file);
        m_layers.emplace_back(m_sites.back().Get(), settings);
    }
}

MessageLayer&
KvPacketNetworks::Of(std::size_t dataCenter)
{
    return m_layers[dataCenter];
}

std::uint64_t
KvPacketNetworks::Packets() const
{
    std::uint64_t packets = 0;
    for (const PacketNetwork& site : m_sites)
    {
        packets += site.IntraDcPackets();
    }
    return packets;
}

void
KvPacketNetworks::CheckConservation() const
{
    for (const PacketNetwork& site : m_sites)
    {
        site.Get().CheckConservation();
    }
}

} // namespace geotrain
