// MessageTransport over byte streams of ns-3 sockets: what ns-3's own TCP and bulk-tcp's device bearer have in common.
// Each connection is a socket pair that the source opens; payload flows from the opener to the accepter, in frames.
#pragma once

#include "training-network/model/stream-receiver.h"
#include "training-network/model/stream-sender.h"

#include "ns3/ipv4-address.h"
#include "ns3/node.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Where a node of the cluster is in ns-3.
struct TransportNode
{
    Ptr<Node> node;
    Ipv4Address address;
};

class StreamTransport : public MessageTransport
{
  public:
    ~StreamTransport() override;

    void SetObserver(TransportObserver& observer) override;
    ConnectionNumber Open(geotrain::NodeIndex source, geotrain::NodeIndex destination) override;
    void Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size) override;
    FlowState State(ConnectionNumber connection) const override;
    void CheckConservation() const override;

  protected:
    /// `nodes` by geotrain::NodeIndex.
    explicit StreamTransport(std::vector<TransportNode> nodes);

    /// What a connection is made of.
    struct Opening
    {
        ConnectionNumber number;
        Ptr<Node> node; ///< of the source
        Address remote;
        std::string name; ///< for streams of random numbers
    };

    /// Connects.
    virtual std::unique_ptr<StreamSender> MakeSender(const Opening& opening,
                                                     TransportObserver& observer) = 0;

    /// A socket that listens at a port of its own choice.
    virtual Ptr<Socket> MakeListener(const TransportNode& node) = 0;

  private:
    Address ListenAt(geotrain::NodeIndex destination);
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    std::vector<TransportNode> m_nodes;
    TransportObserver* m_observer = nullptr;
    std::map<geotrain::NodeIndex, Ptr<Socket>> m_listeners;
    std::map<std::pair<geotrain::NodeIndex, geotrain::NodeIndex>, std::uint32_t> m_opened;
    std::vector<std::unique_ptr<StreamSender>> m_senders; ///< by ConnectionNumber
    std::vector<std::unique_ptr<StreamReceiver>> m_receivers;
};

} // namespace ns3
