// SPDX-License-Identifier: GPL-2.0-only
// Installs bulk-tcp beside ns-3's own TCP on a user's nodes. Applications then use it by the TypeId
// of its socket factory, in place of "ns3::TcpSocketFactory":
//   BulkTcpHelper().Install(nodes);
//   BulkSendHelper source(BulkTcpHelper::SocketFactory(), InetSocketAddress(address, port));
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include <ns3/node-container.h>

#include <string>

namespace ns3
{

/// BulkTcpHelper installs bulk-tcp with one set of options.
class BulkTcpHelper
{
  public:
    /// Throws geotrain::ConfigError for options out of their range.
    explicit BulkTcpHelper(const BulkTcpOptions& options = BulkTcpOptions());

    /// Installs bulk-tcp on nodes, which must have an IPv4 stack. Call it once per node.
    void Install(const NodeContainer& nodes) const;

    /// Makes a socket on a node, whether bulk-tcp is installed there or not.
    Ptr<BulkTcpSocket> CreateSocket(Ptr<Node> node) const;

    static std::string SocketFactory();

  private:
    BulkTcpOptions m_options;
};

} // namespace ns3
