// Puts a packet-level training network on a built WAN, with ns-3's own TCP sockets as transport.
#pragma once

#include "training-network/model/stock-sockets.h"
#include "training-network/model/training-network.h"

#include <string>

namespace ns3
{

class TrainingNetworkHelper
{
  public:
    /// TypeId of an ns-3 congestion control; "ns3::" may be left out. Default TcpCubic.
    void SetCongestionControl(const std::string& typeId);

    /// Receive buffer of each connection, which bounds what it has in flight. Default 1.5 MB.
    void SetWindow(geotrain::Bytes window);

    /// Connections of each directed pair of nodes between data centres and inside one. Default 1 and 1.
    void SetConnections(std::uint32_t wan, std::uint32_t intraDc);

    /// `wan` outlives the network. The MTU is the WAN's. Throws geotrain::ConfigError for a setting out of its range.
    Ptr<TrainingNetwork> Install(const BuiltWan& wan) const;

  private:
    StockTransportOptions m_transport;
    TrainingNetwork::ConnectionCounts m_connections;
};

} // namespace ns3
