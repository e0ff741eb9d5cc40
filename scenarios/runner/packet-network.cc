#include "runner/packet-network.h"

#include "training-network/helper/training-network-helper.h"
#include "wan-topology/helper/wan-builder.h"

#include <ns3/abort.h>

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
SettingsOf(const LoadedScenario& scenario)
{
    const TransportSettings& transport = scenario.transport;
    PacketNetworkSettings settings;
    settings.bearer = transport.bearer;
    settings.congestionControl = transport.congestionControl;
    settings.window = transport.window;
    settings.wanConnections = transport.connections;
    settings.intraDcConnections = transport.intraDcConnections;
    settings.slowStartAfterIdle = transport.slowStartAfterIdle;
    settings.ecn = transport.ecn;
    settings.tcp = transport.tcp;
    settings.seed = static_cast<std::uint32_t>(scenario.run.seed);
    return settings;
}

PacketNetwork::PacketNetwork(const WanTopology& topology,
                             const PacketNetworkSettings& settings,
                             const std::string& file)
{
    const ns3::TrainingNetworkHelper helper = HelperFor(settings);
    if (settings.bearer == scenario::EXPRESS)
    {
        m_express = std::make_unique<ns3::ExpressWan>(topology, file);
        m_network = helper.Install(*m_express);
        return;
    }
    m_built = std::make_unique<ns3::BuiltWan>(ns3::WanBuilder(topology, file).Build());
    m_network = settings.bearer == scenario::DEVICE ? helper.InstallBulk(*m_built)
                                                    : helper.Install(*m_built);
}

ns3::TrainingNetwork&
PacketNetwork::Get() const
{
    return *m_network;
}

ns3::TrainingNetwork&
PacketNetwork::AddRival(const PacketNetworkSettings& settings)
{
    NS_ABORT_MSG_IF(!m_express || m_rival, "a rival needs the express bearer, and is added once");
    ns3::TrainingNetworkHelper helper = HelperFor(settings);
    helper.SetStreamName("rival");
    m_rival = helper.Install(*m_express);
    return *m_rival;
}

ns3::ExpressWan*
PacketNetwork::Express() const
{
    return m_express.get();
}

void
PacketNetwork::BeginSchedules()
{
    if (m_express)
    {
        m_express->BeginSchedules();
    }
    else
    {
        m_built->BeginSchedules();
    }
}

std::uint64_t
PacketNetwork::IntraDcPackets() const
{
    return Links().TotalsOf(ns3::WanLinkClass::IntraDc).packets;
}

const ns3::WanLinks&
PacketNetwork::Links() const
{
    if (m_express)
    {
        return *m_express;
    }
    return *m_built;
}

} // namespace geotrain
