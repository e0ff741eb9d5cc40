// SPDX-License-Identifier: GPL-2.0-only
#include "runner/packet-network.h"

#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/abort.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>

namespace geotrain
{

namespace
{

ns3::Ptr<ns3::TrainingNetwork>
MakeNetwork(ns3::Bearer& bearer, const TransportSettings& transport)
{
    return ns3::CreateObject<ns3::TrainingNetwork>(
        bearer.Links(),
        bearer.MakeTransport(transport),
        ns3::TrainingNetwork::ConnectionCounts{transport.connections,
                                               transport.intraDcConnections});
}

} // namespace

TransportSettings
TransportOf(const Experiment& experiment)
{
    TransportSettings transport = experiment.testbed.transport;
    if (experiment.transfer && experiment.transfer->cold)
    {
        transport.connections *= experiment.transfer->messages;
    }
    return transport;
}

PacketSimulator::PacketSimulator(std::uint32_t seed)
{
    ns3::UseHeapSimulator();
    ns3::RngSeedManager::SetSeed(seed);
    ns3::RngSeedManager::SetRun(1);
}

PacketSimulator::~PacketSimulator()
{
    ns3::Simulator::Destroy();
}

PacketNetwork::PacketNetwork(const WanTopology& topology,
                             const TransportSettings& transport,
                             const std::string& file)
    : m_bearer(ns3::MakeBearer(transport.bearer, topology, file)),
      m_network(MakeNetwork(*m_bearer, transport))
{
}

ns3::TrainingNetwork&
PacketNetwork::Get() const
{
    return *m_network;
}

ns3::TrainingNetwork&
PacketNetwork::AddRival(const TransportSettings& transport)
{
    NS_ABORT_MSG_IF(m_rival || !ns3::FindBearer(transport.bearer).Has(ns3::BearerFeature::Rival),
                    "a rival is added once, and not on the " << transport.bearer << " bearer");
    TransportSettings named = transport;
    named.streamName = "rival";
    m_rival = MakeNetwork(*m_bearer, named);
    return *m_rival;
}

ns3::Bearer&
PacketNetwork::GetBearer() const
{
    return *m_bearer;
}

std::uint64_t
PacketNetwork::IntraDcPackets() const
{
    return m_bearer->Links().TotalsOf(ns3::WanLinkClass::IntraDc).packets;
}

} // namespace geotrain
