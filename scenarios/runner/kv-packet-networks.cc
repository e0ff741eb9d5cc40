#include "runner/kv-packet-networks.h"

#include "runner/packet-run-network.h"
#include "units/quantity-parser.h"
#include "wan-topology/helper/wan-builder.h"

namespace geotrain
{

namespace
{

/// One data centre, without a WAN.
ns3::WanTopology
SecondNics(const LoadedScenario& scenario, std::size_t dataCenter)
{
    ns3::WanTopology topology;
    topology.mtu = scenario.topology.mtu;
    topology.portQueue = scenario.topology.portQueue;
    ns3::WanTopology::Site site = scenario.topology.sites[dataCenter];
    site.name += " inference";
    site.nodes += scenario.inference->decodeNodes[dataCenter];
    topology.sites.push_back(site);
    return topology;
}

} // namespace

KvPacketNetworks::KvPacketNetworks(const LoadedScenario& scenario)
{
    for (std::size_t i = 0; i < scenario.inference->decodeNodes.size(); ++i)
    {
        ns3::WanBuilder builder(SecondNics(scenario, i), scenario.file);
        Site site;
        site.wan = std::make_unique<ns3::BuiltWan>(builder.Build());
        site.network = TransportOf(scenario).Install(*site.wan);
        site.network->SetChunkSize(ParseBytes(scenario.resolved.transport().chunk()));
        m_sites.push_back(std::move(site));
    }
}

Network&
KvPacketNetworks::Of(std::size_t dataCenter)
{
    return *m_sites[dataCenter].network;
}

std::uint64_t
KvPacketNetworks::Packets() const
{
    std::uint64_t packets = 0;
    for (const Site& site : m_sites)
    {
        packets += site.wan->TotalsOf(ns3::BuiltWan::LinkClass::IntraDc).packets;
    }
    return packets;
}

void
KvPacketNetworks::CheckConservation() const
{
    for (const Site& site : m_sites)
    {
        site.network->CheckConservation();
    }
}

} // namespace geotrain
