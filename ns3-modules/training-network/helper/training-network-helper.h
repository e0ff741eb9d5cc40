// SPDX-License-Identifier: GPL-2.0-only
// Puts a packet-level training network on a bearer.
#pragma once

#include "training-network/helper/bearer.h"
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

    /// Connections of each directed pair of nodes between data centres and inside one. Default 1
    /// and 1.
    void SetConnections(std::uint32_t wan, std::uint32_t intraDc);

    /// Whether bulk-tcp begins with a small window again after a pause (RFC 2861). Default true, as
    /// in Linux.
    void SetSlowStartAfterIdle(bool on);

    /// Whether connections ask for ECN (RFC 3168); those of TcpDctcp always do. Default
    /// false.
    void SetEcn(bool on);

    /// What is set of connections; the rest is left to the attributes of geotrain::BulkTcp or of
    /// ns-3's sockets, which know nothing of HyStart++, tail loss probes and autotuning.
    void SetTcp(const BulkTcpOverrides& tcp);

    /// Names the random streams of bulk-tcp's controls over light links, where several networks
    /// share a WAN. Default "bulk-transport".
    void SetStreamName(const std::string& name);

    /// `bearer` outlives the network. Throws geotrain::ConfigError for a setting out of its range.
    Ptr<TrainingNetwork> Install(Bearer& bearer) const;

  private:
    TransportOptions m_transport;
    TrainingNetwork::ConnectionCounts m_connections;
};

} // namespace ns3
