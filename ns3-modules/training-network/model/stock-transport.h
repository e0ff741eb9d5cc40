// MessageTransport over ns-3's own TCP sockets.
#pragma once

#include "training-network/model/stock-sockets.h"
#include "training-network/model/stream-transport.h"

namespace ns3
{

class StockTransport : public StreamTransport
{
  public:
    /// `nodes` by geotrain::NodeIndex. Throws geotrain::ConfigError for options out of their range.
    StockTransport(std::vector<TransportNode> nodes, const StockTransportOptions& options);

  private:
    std::unique_ptr<StreamSender> MakeSender(const Opening& opening,
                                             TransportObserver& observer) override;
    Ptr<Socket> MakeListener(const TransportNode& node) override;

    StockSockets m_sockets;
};

} // namespace ns3
