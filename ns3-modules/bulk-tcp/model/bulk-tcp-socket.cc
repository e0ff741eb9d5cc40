// SPDX-License-Identifier: GPL-2.0-only
// What applications ask of the socket. Packets, and what its connection tells, are in
// bulk-tcp-socket-events.cc.
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "units/random-stream.h"

#include <ns3/abort.h>
#include <ns3/inet6-socket-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/simulator.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BulkTcpSocket);

namespace
{

constexpr std::uint64_t defaultSendBuffer = 128000000; ///< bytes: twice the default window

InetSocketAddress
Ipv4Of(const Address& address)
{
    NS_ABORT_MSG_IF(
        !InetSocketAddress::IsMatchingType(address),
        "bulk-tcp carries IPv4 only: the address must be an InetSocketAddress"
            << (Inet6SocketAddress::IsMatchingType(address) ? ", not one of IPv6" : ""));
    return InetSocketAddress::ConvertFrom(address);
}

} // namespace

TypeId
BulkTcpSocket::GetTypeId()
{
    static TypeId id = TypeId("geotrain::BulkTcpSocket")
                           .SetParent<BulkTcpSocketTraces>()
                           .SetGroupName("BulkTcp")
                           .AddConstructor<BulkTcpSocket>()
                           .AddAttribute("SndBufSize",
                                         "Bytes that may wait to be acknowledged.",
                                         UintegerValue(defaultSendBuffer),
                                         MakeUintegerAccessor(&BulkTcpSocket::m_sendBufferSize),
                                         MakeUintegerChecker<std::uint64_t>(1))
                           .AddTraceSource("State",
                                           "The connection's state.",
                                           MakeTraceSourceAccessor(&BulkTcpSocket::m_state),
                                           "ns3::TcpStatesTracedValueCallback")
                           .AddTraceSource("Tx",
                                           "A segment goes to IPv4.",
                                           MakeTraceSourceAccessor(&BulkTcpSocket::m_txTrace),
                                           "ns3::BulkTcpSocket::TxRxTracedCallback")
                           .AddTraceSource("Rx",
                                           "A segment has come from IPv4.",
                                           MakeTraceSourceAccessor(&BulkTcpSocket::m_rxTrace),
                                           "ns3::BulkTcpSocket::TxRxTracedCallback");
    return id;
}

BulkTcpSocket::BulkTcpSocket() = default;

BulkTcpSocket::BulkTcpSocket(const BulkTcpSocket& listener)
    : BulkTcpSocketTraces(listener),
      m_node(listener.m_node),
      m_options(listener.m_options),
      m_sendBufferSize(listener.m_sendBufferSize),
      m_discards(listener.m_discards),
      m_txTrace(listener.m_txTrace),
      m_rxTrace(listener.m_rxTrace)
{
    m_endPoint.EnterStackOf(listener.m_endPoint);
}

BulkTcpSocket::~BulkTcpSocket() = default;

void
BulkTcpSocket::DoDispose()
{
    if (m_connection)
    {
        m_connection->Stop();
    }
    m_endPoint.Dispose();
    m_node = nullptr;
    Socket::DoDispose();
}

void
BulkTcpSocket::Setup(Ptr<Node> node, const BulkTcpOptions& options)
{
    options.Validate();
    m_node = node;
    m_options = options;
    m_options.offloads = false; // segments go to ns-3's IPv4 one by one
    m_endPoint.Setup(node);
}

void
BulkTcpSocket::SetCongestionControlAlgorithm(Ptr<TcpCongestionOps> control)
{
    m_options.ValidateControl(*control);
    m_control = control;
}

int
BulkTcpSocket::Fail(SocketErrno error)
{
    m_errno = error;
    return -1;
}

int
BulkTcpSocket::Bind(const Address& address)
{
    const InetSocketAddress own = Ipv4Of(address);
    const SocketErrno error = m_endPoint.IsBound() ? ERROR_INVAL : m_endPoint.Bind(own);
    return error == ERROR_NOTERROR ? 0 : Fail(error);
}

int
BulkTcpSocket::Bind()
{
    return Bind(InetSocketAddress(Ipv4Address::GetAny(), 0));
}

int
BulkTcpSocket::Bind6()
{
    NS_ABORT_MSG("bulk-tcp carries IPv4 only: IPv6 is not supported");
    return -1;
}

void
BulkTcpSocket::BindToNetDevice(Ptr<NetDevice> device)
{
    Socket::BindToNetDevice(device);
    m_endPoint.BindToNetDevice(device);
}

int
BulkTcpSocket::Listen()
{
    if (m_state != TcpSocket::CLOSED || m_peer || !m_endPoint.IsBound())
    {
        return Fail(ERROR_INVAL);
    }
    m_state = TcpSocket::LISTEN;
    return 0;
}

int
BulkTcpSocket::Connect(const Address& address)
{
    const InetSocketAddress peer = Ipv4Of(address);
    if (m_state != TcpSocket::CLOSED || m_peer)
    {
        return Fail(ERROR_ISCONN);
    }
    if (!m_endPoint.IsBound() && Bind() != 0)
    {
        return -1;
    }
    SetIpTos(peer.GetTos());
    if (!MakeConnection(peer.GetIpv4(), peer.GetPort()))
    {
        return Fail(ERROR_NOROUTETOHOST);
    }
    m_state = TcpSocket::SYN_SENT;
    // Before the simulation begins, queue discs can't take packets yet.
    Simulator::ScheduleNow(&BulkTcpSocket::Open, Ptr<BulkTcpSocket>(this));
    return 0;
}

void
BulkTcpSocket::Open()
{
    if (m_state == TcpSocket::SYN_SENT)
    {
        m_connection->Open();
    }
}

/// False without a route to the peer.
bool
BulkTcpSocket::MakeConnection(Ipv4Address peer, std::uint16_t port)
{
    const Ptr<Ipv4Route> route = m_endPoint.SetPeer(peer, port);
    if (!route)
    {
        return false;
    }
    m_peer = InetSocketAddress(peer, port);
    m_options.mtu =
        std::min(m_options.mtu, geotrain::Bytes::Of(route->GetOutputDevice()->GetMtu()));
    const BulkTcpProtocol::Connection& ends = m_endPoint.Connection();
    if (!m_control)
    {
        m_control = MakeCongestionControl(FindCongestionControl(m_options.congestionControl),
                                          geotrain::StreamNumber("bulk-tcp", ends.Name()));
    }
    BulkTcpConnectionEvents& events = *this;
    m_connection = std::make_unique<BulkTcpConnection>(
        m_options, ends, m_control, BulkTcpConnection::Traced{m_state, m_rto}, events);
    Follow(m_connection->Sender().State());
    return true;
}

int
BulkTcpSocket::Send(Ptr<Packet> packet, uint32_t /*flags*/)
{
    if (m_connection && m_connection->IsClosing())
    {
        return Fail(ERROR_SHUTDOWN);
    }
    if (!m_connection || m_state == TcpSocket::CLOSED)
    {
        return Fail(ERROR_NOTCONN);
    }
    if (packet->GetSize() > GetTxAvailable())
    {
        return Fail(ERROR_MSGSIZE);
    }
    if (packet->GetSize() > 0)
    {
        m_connection->Append(packet->Copy());
    }
    return static_cast<int>(packet->GetSize());
}

int
BulkTcpSocket::SendTo(Ptr<Packet> packet, uint32_t flags, const Address& /*address*/)
{
    return Send(packet, flags);
}

uint32_t
BulkTcpSocket::GetTxAvailable() const
{
    const std::uint64_t waiting = m_connection ? m_connection->Unacknowledged() : 0;
    const std::uint64_t room = m_sendBufferSize > waiting ? m_sendBufferSize - waiting : 0;
    return static_cast<uint32_t>(
        std::min<std::uint64_t>(room, INT32_MAX)); // what Send() can answer
}

uint32_t
BulkTcpSocket::GetRxAvailable() const
{
    const std::uint64_t unread = m_connection ? m_connection->Incoming().Unread() : 0;
    return static_cast<uint32_t>(std::min<std::uint64_t>(unread, UINT32_MAX));
}

Ptr<Packet>
BulkTcpSocket::Recv(uint32_t maxSize, uint32_t /*flags*/)
{
    const Ptr<Packet> packet = m_connection ? m_connection->Read(maxSize) : nullptr;
    if (!packet)
    {
        m_errno = ERROR_AGAIN;
        const bool atEnd = m_connection && m_connection->Incoming().IsReadToEnd();
        return atEnd ? Create<Packet>() : nullptr;
    }
    return packet;
}

Ptr<Packet>
BulkTcpSocket::RecvFrom(uint32_t maxSize, uint32_t flags, Address& from)
{
    const Ptr<Packet> packet = Recv(maxSize, flags);
    if (packet && m_peer)
    {
        from = *m_peer;
    }
    return packet;
}

int
BulkTcpSocket::ShutdownRecv()
{
    m_discards = true;
    while (Recv(UINT32_MAX, 0) && GetRxAvailable() > 0)
    {
    }
    return 0;
}

int
BulkTcpSocket::ShutdownSend()
{
    if (!m_connection)
    {
        return Fail(ERROR_NOTCONN);
    }
    m_connection->CloseSending();
    return 0;
}

int
BulkTcpSocket::Close()
{
    ShutdownRecv();
    if (!m_connection)
    {
        const TcpSocket::TcpStates_t before = m_state;
        m_state = TcpSocket::CLOSED;
        OnClosed(before);
    }
    else if (m_state == TcpSocket::SYN_SENT)
    {
        m_connection->BecomeClosed();
    }
    else
    {
        m_connection->CloseSending();
    }
    return 0;
}

int
BulkTcpSocket::GetSockName(Address& address) const
{
    address = m_endPoint.Own();
    return 0;
}

int
BulkTcpSocket::GetPeerName(Address& address) const
{
    if (!m_peer)
    {
        m_errno = ERROR_NOTCONN;
        return -1;
    }
    address = *m_peer;
    return 0;
}

const BulkSender*
BulkTcpSocket::Sender() const
{
    return m_connection ? &m_connection->Sender() : nullptr;
}

const BulkReceiver*
BulkTcpSocket::Receiver() const
{
    return m_connection ? &m_connection->Incoming().Engine() : nullptr;
}

} // namespace ns3
