// SPDX-License-Identifier: GPL-2.0-only
// Makes bulk-tcp's sockets for a StreamTransport: real IPv4 and TCP headers over ns-3 devices and
// queue discs.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "training-network/model/stream-sockets.h"

#include "ns3/type-id.h"

namespace ns3
{

/// DeviceSockets makes the sockets of the device bearer.
class DeviceSockets : public StreamSockets
{
  public:
    /// The numbers of the controls' random streams derive from `name`. Throws geotrain::ConfigError
    /// for options out of their range.
    explicit DeviceSockets(const BulkTcpOptions& options,
                           const std::string& name = "bulk-transport");

    std::unique_ptr<StreamSocket> MakeSender(Ptr<Node> node,
                                             const std::string& name) const override;
    Ptr<Socket> MakeListener(Ptr<Node> node, Ipv4Address address) const override;

  private:
    BulkTcpOptions m_options;
    std::string m_name;
    TypeId m_control;
};

} // namespace ns3
