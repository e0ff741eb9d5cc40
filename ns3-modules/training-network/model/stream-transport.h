// MessageTransport over ns-3's own TCP sockets. Each connection is a socket pair that the source opens;
// payload flows from the opener to the accepter.
#pragma once

#include "training-network/model/stock-receiver.h"
#include "training-network/model/stock-sender.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/// Where a node of the cluster is in ns-3.
struct TransportNode
{
    Ptr<Node> node;
    Ipv4Address address;
};

class StockTransport : public MessageTransport
{
  public:
    /// `nodes` by geotrain::NodeIndex. Throws geotrain::ConfigError for options out of their range.
    StockTransport(std::vector<TransportNode> nodes, const StockTransportOptions& options);
    ~StockTransport() override;

    void SetObserver(TransportObserver& observer) override;
    ConnectionNumber Open(geotrain::NodeIndex source, geotrain::NodeIndex destination) override;
    void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) override;
    FlowState State(ConnectionNumber connection) const override;
    void CheckConservation() const override;

  private:
    Address ListenAt(geotrain::NodeIndex destination);
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    std::vector<TransportNode> m_nodes;
    StockSockets m_sockets;
    TransportObserver* m_observer = nullptr;
    std::map<geotrain::NodeIndex, Ptr<TcpSocketBase>> m_listeners;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>, std::uint32_t> m_opened;
    std::vector<std::unique_ptr<StockSender>> m_senders; ///< by ConnectionNumber
    std::vector<std::unique_ptr<StockReceiver>> m_receivers;
};

} // namespace ns3
