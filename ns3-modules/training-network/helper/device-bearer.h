// SPDX-License-Identifier: GPL-2.0-only
// Carries messages by sockets over ns-3 devices: real IPv4 and TCP headers, queue discs, and either
// bulk-tcp or ns-3's own TCP.
#pragma once

#include "training-network/helper/bearer.h"
#include "training-network/model/stream-sockets.h"
#include "wan-topology/helper/built-wan.h"

namespace ns3
{

/// DeviceBearer is the device bearer or the stock bearer, which differ in their sockets.
class DeviceBearer : public Bearer
{
  public:
    /// Both throw geotrain::ConfigError as MakeBearer() does.
    static std::unique_ptr<Bearer> MakeWithBulkTcp(const geotrain::WanTopology& topology,
                                                   const std::string& file);
    static std::unique_ptr<Bearer> MakeWithStockTcp(const geotrain::WanTopology& topology,
                                                    const std::string& file);

    /// Makes the sockets of a transport for packets of `mtu` bytes.
    using MakeSockets = std::unique_ptr<StreamSockets> (*)(const TransportOptions& options,
                                                           geotrain::Bytes mtu);

    DeviceBearer(const geotrain::WanTopology& topology,
                 const std::string& file,
                 MakeSockets makeSockets);

    WanLinks& Links() override;
    std::unique_ptr<MessageTransport> MakeTransport(const TransportOptions& options) override;

  private:
    BuiltWan m_wan;
    MakeSockets m_makeSockets;
};

} // namespace ns3
