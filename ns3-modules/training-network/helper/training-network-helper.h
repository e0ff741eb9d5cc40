// SPDX-License-Identifier: GPL-2.0-only
// Puts a packet-level training network on a bearer.
#pragma once

#include "training-network/helper/bearer-kinds.h"
#include "training-network/model/training-network.h"

#include <string>

namespace ns3
{

/// TrainingNetworkHelper collects the settings of a network and makes it.
class TrainingNetworkHelper
{
  public:
    /// Sets the congestion control: a TypeId, where "geotrain::" or "ns3::" may be left out.
    /// Default geotrain::TcpCubic.
    void SetCongestionControl(const std::string& typeId);

    /// Sets the receive buffer of each connection, which bounds its bytes in flight. Default 1.5
    /// MB.
    void SetWindow(geotrain::Bytes window);

    /// Sets the connections per directed pair of nodes, between data centres and inside one.
    /// Default 1 and 1.
    void SetConnections(std::uint32_t wan, std::uint32_t intraDc);

    /// Sets all options of connections, congestion control and window among them.
    void SetTransport(const TransportOptions& options);

    /// Names the random streams of controls, for several networks that share a WAN. Default: the
    /// bearer's own name.
    void SetStreamName(const std::string& name);

    /// Makes the network on `bearer`, which outlives it. Throws geotrain::ConfigError for a setting
    /// out of its range.
    Ptr<TrainingNetwork> Install(Bearer& bearer) const;

  private:
    TransportOptions m_transport;
    TrainingNetwork::ConnectionCounts m_connections;
};

} // namespace ns3
