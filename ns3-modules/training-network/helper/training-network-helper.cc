// SPDX-License-Identifier: GPL-2.0-only
// Collects the settings of a network.
#include "training-network/helper/training-network-helper.h"

#include "units/config-error.h"

namespace ns3
{

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
TrainingNetworkHelper::SetTransport(const TransportOptions& options)
{
    m_transport = options;
}

void
TrainingNetworkHelper::SetStreamName(const std::string& name)
{
    m_transport.streamName = name;
}

Ptr<TrainingNetwork>
TrainingNetworkHelper::Install(Bearer& bearer) const
{
    if (m_connections.wan < 1 || m_connections.intraDc < 1)
    {
        throw geotrain::ConfigError("", "connections", "0", "must be at least 1");
    }
    return CreateObject<TrainingNetwork>(
        bearer.Links(), bearer.MakeTransport(m_transport), m_connections);
}

} // namespace ns3
