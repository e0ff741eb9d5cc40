// SPDX-License-Identifier: GPL-2.0-only
// Implements MessageTransport over byte streams of ns-3 sockets, those of ns-3's own TCP or of
// bulk-tcp over ns-3 devices. Each connection is a socket pair that the source opens. Payload flows
// in frames from the source to the destination.
#pragma once

#include "training-network/model/stream-receiver.h"
#include "training-network/model/stream-sender.h"

#include "ns3/ipv4-address.h"
#include "ns3/node.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/// TransportNode is a node of the cluster in ns-3.
struct TransportNode
{
    Ptr<Node> node;
    Ipv4Address address;
};

/// StreamTransport is the transport of the device bearer and of the stock bearer.
class StreamTransport : public MessageTransport
{
  public:
    /// `nodes` are in the order of geotrain::NodeIndex. `marks` are the DSCPs of the classes of
    /// traffic; packets of further classes have none.
    StreamTransport(std::vector<TransportNode> nodes,
                    std::unique_ptr<StreamSockets> sockets,
                    std::vector<std::uint8_t> marks = {});
    ~StreamTransport() override;

    void SetObserver(TransportObserver& observer) override;
    ConnectionNumber Open(geotrain::NodeIndex source,
                          geotrain::NodeIndex destination,
                          std::uint32_t trafficClass) override;
    void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) override;
    FlowState State(ConnectionNumber connection) const override;
    void CheckConservation() const override;

  private:
    Address ListenAt(geotrain::NodeIndex destination, std::uint8_t dscp);
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    std::vector<TransportNode> m_nodes;
    std::unique_ptr<StreamSockets> m_sockets;
    TransportObserver* m_observer = nullptr;
    std::vector<std::uint8_t> m_marks;
    /// By node and mark, which what is accepted has too.
    std::map<std::pair<geotrain::NodeIndex, std::uint8_t>, Ptr<Socket>> m_listeners;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>, std::uint32_t> m_opened;
    std::vector<std::unique_ptr<StreamSender>> m_senders; ///< by ConnectionNumber
    std::vector<std::unique_ptr<StreamReceiver>> m_receivers;
};

} // namespace ns3
