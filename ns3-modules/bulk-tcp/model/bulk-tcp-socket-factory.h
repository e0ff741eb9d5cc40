// SPDX-License-Identifier: GPL-2.0-only
// Makes bulk-tcp's sockets for the applications of a node, by the TypeId
// geotrain::BulkTcpSocketFactory.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"

#include <ns3/node.h>
#include <ns3/socket-factory.h>

namespace ns3
{

/// BulkTcpSocketFactory is the factory of one node.
class BulkTcpSocketFactory : public SocketFactory
{
  public:
    static TypeId GetTypeId();

    /// Sets the node and the options of all its sockets. The options must have been validated.
    void Setup(Ptr<Node> node, const BulkTcpOptions& options);

    Ptr<Socket> CreateSocket() override;

  protected:
    void DoDispose() override;

  private:
    Ptr<Node> m_node;
    BulkTcpOptions m_options;
};

} // namespace ns3
