// SPDX-License-Identifier: GPL-2.0-only
#include "runner/kv-packet-networks.h"

namespace geotrain
{

namespace
{

/// Returns the second network of one data centre, without a WAN.
WanTopology
SecondNics(const LoadedScenario& scenario, std::size_t dataCenter)
{
    WanTopology topology;
    topology.mtu = scenario.cluster.wan.mtu;
    topology.portQueue = scenario.cluster.wan.portQueue;
    WanTopology::Site site = scenario.cluster.wan.sites[dataCenter];
    site.name += " inference";
    site.nodes += scenario.inference->decodeNodes[dataCenter];
    topology.sites.push_back(site);
    return topology;
}

} // namespace

KvPacketNetworks::KvPacketNetworks(const LoadedScenario& scenario)
{
    MessageLayerSettings settings;
    settings.chunkSize = scenario.cluster.chunk;
    for (std::size_t i = 0; i < scenario.inference->decodeNodes.size(); ++i)
    {
        m_sites.emplace_back(SecondNics(scenario, i), SettingsOf(scenario), scenario.file);
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
