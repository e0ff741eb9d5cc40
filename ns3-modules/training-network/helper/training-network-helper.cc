#include "training-network/helper/training-network-helper.h"

#include "training-network/model/bulk-transport.h"
#include "training-network/model/device-sockets.h"
#include "training-network/model/stream-transport.h"
#include "units/config-error.h"

namespace ns3
{

namespace
{

std::vector<TransportNode>
NodesOf(const BuiltWan& wan)
{
    std::vector<TransportNode> nodes;
    for (std::uint32_t node = 0; node < wan.Topology().NodeCount(); ++node)
    {
        nodes.push_back({wan.NodeAt(node), wan.AddressOf(node)});
    }
    return nodes;
}

} // namespace

void
TrainingNetworkHelper::SetCongestionControl(const std::string& typeId)
{
    m_transport.congestionControl = typeId;
}

void
TrainingNetworkHelper::SetWindow(geotrain::Bytes window)
{
    m_transport.window = window;
}

void
TrainingNetworkHelper::SetConnections(std::uint32_t wan, std::uint32_t intraDc)
{
    m_connections = {wan, intraDc};
}

void
TrainingNetworkHelper::SetSlowStartAfterIdle(bool on)
{
    m_slowStartAfterIdle = on;
}

void
TrainingNetworkHelper::SetEcn(bool on)
{
    m_ecn = on;
}

void
TrainingNetworkHelper::SetTcp(const BulkTcpOverrides& tcp)
{
    m_tcp = tcp;
}

void
TrainingNetworkHelper::SetStreamName(const std::string& name)
{
    m_streamName = name;
}

void
TrainingNetworkHelper::CheckConnections() const
{
    if (m_connections.wan < 1 || m_connections.intraDc < 1)
    {
        throw geotrain::ConfigError("", "connections", "0", "must be at least 1");
    }
}

BulkTcpOptions
TrainingNetworkHelper::BulkOptions() const
{
    BulkTcpOptions options = BulkTcpOptions::FromAttributes();
    m_tcp.ApplyTo(options);
    options.congestionControl = m_transport.congestionControl;
    options.window = m_transport.window;
    options.slowStartAfterIdle = m_slowStartAfterIdle;
    options.ecn = m_ecn;
    return options;
}

Ptr<TrainingNetwork>
TrainingNetworkHelper::Install(const BuiltWan& wan) const
{
    CheckConnections();
    StockTransportOptions options = m_transport;
    options.mtu = wan.Topology().mtu;
    return CreateObject<TrainingNetwork>(
        wan,
        std::make_unique<StreamTransport>(NodesOf(wan), std::make_unique<StockSockets>(options)),
        m_connections);
}

Ptr<TrainingNetwork>
TrainingNetworkHelper::InstallBulk(const BuiltWan& wan) const
{
    CheckConnections();
    BulkTcpOptions options = BulkOptions();
    options.mtu = wan.Topology().mtu;
    return CreateObject<TrainingNetwork>(
        wan,
        std::make_unique<StreamTransport>(NodesOf(wan), std::make_unique<DeviceSockets>(options)),
        m_connections);
}

Ptr<TrainingNetwork>
TrainingNetworkHelper::Install(ExpressWan& wan) const
{
    CheckConnections();
    return CreateObject<TrainingNetwork>(
        wan, std::make_unique<BulkTransport>(wan, BulkOptions(), m_streamName), m_connections);
}

} // namespace ns3
