// SPDX-License-Identifier: GPL-2.0-only
// Passes the settings of a scenario to the helper.
#include "runner/packet-network.h"

#include "training-network/helper/training-network-helper.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/abort.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>

namespace geotrain
{

namespace
{

ns3::TrainingNetworkHelper
HelperFor(const PacketNetworkSettings& settings)
{
    ns3::TrainingNetworkHelper helper;
    helper.SetCongestionControl(settings.congestionControl);
    helper.SetWindow(settings.window);
    helper.SetConnections(settings.wanConnections, settings.intraDcConnections);
    helper.SetSlowStartAfterIdle(settings.slowStartAfterIdle);
    helper.SetEcn(settings.ecn);
    helper.SetTcp(settings.tcp);
    return helper;
}

} // namespace

PacketNetworkSettings
SettingsOf(const Experiment& experiment)
{
    const TransportSettings& transport = experiment.testbed.transport;
    PacketNetworkSettings settings;
    settings.bearer = transport.bearer;
    settings.congestionControl = transport.congestionControl;
    settings.window = transport.window;
    settings.wanConnections = transport.connections;
    settings.intraDcConnections = transport.intraDcConnections;
    settings.slowStartAfterIdle = transport.slowStartAfterIdle;
    settings.ecn = transport.ecn;
    settings.tcp = transport.tcp;
    settings.seed = static_cast<std::uint32_t>(experiment.run.seed);
    if (experiment.transfer && experiment.transfer->cold)
    {
        settings.wanConnections *= experiment.transfer->messages;
    }
    return settings;
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
                             const PacketNetworkSettings& settings,
                             const std::string& file)
    : m_bearer(ns3::MakeBearer(settings.bearer, topology, file)),
      m_network(HelperFor(settings).Install(*m_bearer))
{
}

ns3::TrainingNetwork&
PacketNetwork::Get() const
{
    return *m_network;
}

ns3::TrainingNetwork&
PacketNetwork::AddRival(const PacketNetworkSettings& settings)
{
    NS_ABORT_MSG_IF(m_rival || !ns3::FindBearer(settings.bearer).Has(ns3::BearerFeature::Rival),
                    "a rival is added once, and not on the " << settings.bearer << " bearer");
    ns3::TrainingNetworkHelper helper = HelperFor(settings);
    helper.SetStreamName("rival");
    m_rival = helper.Install(*m_bearer);
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
