// SPDX-License-Identifier: GPL-2.0-only
// Implements MessageTransport by bulk-tcp over light links. A message is its payload without
// framing; its number travels beside it in the packet records.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "training-network/model/message-transport.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// BulkTransport is the transport of the express bearer.
class BulkTransport : public MessageTransport, private BulkSenderEvents, private BulkReceiverEvents
{
  public:
    /// `wan` outlives the transport. The numbers of the controls' random streams derive from
    /// `name`. `extraRoundTrip` is of each connection, beyond the path's. Throws geotrain::ConfigError for options out of their range.
    BulkTransport(ExpressWan& wan,
                  const BulkTcpOptions& options,
                  const std::string& name = "bulk-transport",
                  geotrain::Duration extraRoundTrip = {});

    void SetObserver(TransportObserver& observer) override;
    ConnectionNumber Open(geotrain::NodeIndex source,
                          geotrain::NodeIndex destination,
                          std::uint32_t trafficClass) override;
    void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) override;
    FlowState State(ConnectionNumber connection) const override;
    void CheckConservation() const override;

  private:
    void OnSent(std::uint64_t message) override;
    void OnDrained(FlowNumber flow) override;
    void OnFailed(FlowNumber flow, std::uint64_t message) override;
    void OnFirstByte(std::uint64_t message) override;
    void OnDelivered(std::uint64_t message) override;

    ExpressWan& m_wan;
    BulkTcpOptions m_options;
    std::string m_name;
    geotrain::Duration m_extraRoundTrip;
    TypeId m_control;
    TransportObserver* m_observer = nullptr;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>, std::uint32_t> m_opened;
    std::vector<FlowNumber> m_flows; ///< by connection; others may have flows on the WAN too
    std::map<FlowNumber, ConnectionNumber> m_connections;
};

} // namespace ns3
