// MessageTransport over bulk-tcp's device bearer: real IPv4 and TCP headers over ns-3 devices and queue discs.
#pragma once

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "training-network/model/stream-transport.h"

namespace ns3
{

class DeviceTransport : public StreamTransport
{
  public:
    /// `nodes` by geotrain::NodeIndex. Throws geotrain::ConfigError for options out of their range.
    DeviceTransport(std::vector<TransportNode> nodes, const BulkTcpOptions& options);

  private:
    std::unique_ptr<StreamSender> MakeSender(const Opening& opening,
                                             TransportObserver& observer) override;
    Ptr<Socket> MakeListener(const TransportNode& node) override;

    BulkTcpOptions m_options;
    TypeId m_control;
};

} // namespace ns3
