// SPDX-License-Identifier: GPL-2.0-only
// Opens connections, listens once at each node, and compares the bytes of both ends.
#include "training-network/model/stream-transport.h"

#include "wan-topology/model/reusable-event.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"

#include <utility>

namespace ns3
{

StreamTransport::StreamTransport(std::vector<TransportNode> nodes,
                                 std::unique_ptr<StreamSockets> sockets,
                                 std::vector<std::uint8_t> marks)
    : m_nodes(std::move(nodes)),
      m_sockets(std::move(sockets)),
      m_marks(std::move(marks))
{
}

StreamTransport::~StreamTransport()
{
    for (const auto& listener : m_listeners)
    {
        listener.second->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                           MakeNullCallback<void, Ptr<Socket>, const Address&>());
    }
}

void
StreamTransport::SetObserver(TransportObserver& observer)
{
    m_observer = &observer;
}

ConnectionNumber
StreamTransport::Open(geotrain::NodeIndex source,
                      geotrain::NodeIndex destination,
                      std::uint32_t trafficClass)
{
    NS_ABORT_MSG_IF(!m_observer, "a transport needs an observer before its first connection");
    const auto number = static_cast<ConnectionNumber>(m_senders.size());
    const std::uint32_t ofPair = m_opened[{source, destination}]++;
    const std::string name =
        std::to_string(source) + "-" + std::to_string(destination) + "/" + std::to_string(ofPair);
    const AtSite site(m_nodes.at(source).node->GetId());
    const std::uint8_t dscp = trafficClass < m_marks.size() ? m_marks[trafficClass] : 0;
    m_senders.push_back(
        std::make_unique<StreamSender>(number,
                                       m_sockets->MakeSender(m_nodes.at(source).node, name),
                                       ListenAt(destination, dscp),
                                       *m_observer));
    return number;
}

void
StreamTransport::Send(ConnectionNumber connection, MessageNumber message, geotrain::Bytes size)
{
    NS_ABORT_MSG_IF(size.Count() < 1, "message " << message << " is empty");
    m_senders.at(connection)->Send(message, size);
}

FlowState
StreamTransport::State(ConnectionNumber connection) const
{
    return m_senders.at(connection)->State();
}

void
StreamTransport::CheckConservation() const
{
    std::map<ConnectionNumber, const StreamReceiver*> receivers;
    for (const auto& receiver : m_receivers)
    {
        if (receiver->Payload() > 0)
        {
            receivers[receiver->Connection()] = receiver.get();
        }
    }
    for (ConnectionNumber i = 0; i < m_senders.size(); ++i)
    {
        const auto found = receivers.find(i);
        const std::uint64_t received = found == receivers.end() ? 0 : found->second->Stream();
        const std::uint64_t payload = found == receivers.end() ? 0 : found->second->Payload();
        const auto& sent = m_senders[i]->GetTotals();
        NS_ABORT_MSG_IF(received > sent.carried || sent.carried > sent.stream,
                        "connection " << i << ": of " << sent.stream << " bytes " << sent.carried
                                      << " were carried and " << received << " received");
        const FlowState state = m_senders[i]->State();
        NS_ABORT_MSG_IF(!state.outstanding && !state.failed &&
                            (received != sent.stream || payload != sent.payload),
                        "connection " << i << ": " << sent.payload
                                      << " bytes of payload were sent and " << payload
                                      << " received");
    }
}

Address
StreamTransport::ListenAt(geotrain::NodeIndex destination, std::uint8_t dscp)
{
    const auto tos = static_cast<std::uint8_t>(dscp << 2); // RFC 2474, section 3
    auto& listener = m_listeners[{destination, dscp}];
    if (!listener)
    {
        const TransportNode& node = m_nodes.at(destination);
        listener = m_sockets->MakeListener(node.node, node.address);
        listener->SetIpTos(tos);
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeCallback(&StreamTransport::OnAccepted, this));
    }
    Address address;
    listener->GetSockName(address);
    InetSocketAddress peer = InetSocketAddress::ConvertFrom(address);
    peer.SetTos(tos); // of the socket that connects
    return peer;
}

void
StreamTransport::OnAccepted(Ptr<Socket> socket, const Address& /*from*/)
{
    m_receivers.push_back(std::make_unique<StreamReceiver>(socket, *m_observer));
}

} // namespace ns3
