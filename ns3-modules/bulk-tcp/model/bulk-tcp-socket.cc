// SPDX-License-Identifier: GPL-2.0-only
// What applications ask of the socket. Its closing is in bulk-tcp-socket-closing.cc, segments from
// the network are in bulk-tcp-socket-input.cc and those to it in bulk-tcp-socket-output.cc.
#include "bulk-tcp/model/bulk-tcp-socket.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "units/config-error.h"
#include "units/random-stream.h"

#include <ns3/abort.h>
#include <ns3/inet6-socket-address.h>
#include <ns3/ipv4.h>
#include <ns3/node.h>
#include <ns3/simulator.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BulkTcpSocket);

namespace
{

// ns-3's sockets begin at 0 and take it for granted: one does not answer to marks of a peer that
// begins above 2^31.
constexpr std::uint32_t initialSequence = 0;
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

/// Names the random draws of a connection's congestion control.
std::string
NameOf(Ipv4EndPoint& endPoint)
{
    std::ostringstream name;
    name << endPoint.GetLocalAddress() << ":" << endPoint.GetLocalPort() << ">"
         << endPoint.GetPeerAddress() << ":" << endPoint.GetPeerPort();
    return name.str();
}

} // namespace

TypeId
BulkTcpSocket::GetTypeId()
{
    static TypeId id =
        TypeId("geotrain::BulkTcpSocket")
            .SetParent<Socket>()
            .SetGroupName("BulkTcp")
            .AddConstructor<BulkTcpSocket>()
            .AddAttribute("SndBufSize",
                          "Bytes that may wait to be acknowledged.",
                          UintegerValue(defaultSendBuffer),
                          MakeUintegerAccessor(&BulkTcpSocket::m_sendBufferSize),
                          MakeUintegerChecker<std::uint64_t>(1))
            .AddTraceSource("CongestionWindow",
                            "The congestion window, in bytes.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_congestionWindowTrace),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("SlowStartThreshold",
                            "The slow start threshold, in bytes.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_slowStartThresholdTrace),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("BytesInFlight",
                            "The sender's estimate of what is on the way.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_bytesInFlightTrace),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("RTT",
                            "The last round-trip time measured.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_rttTrace),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("CongState",
                            "The state of congestion control.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_congStateTrace),
                            "ns3::TcpSocketState::TcpCongStatesTracedValueCallback")
            .AddTraceSource("RTO",
                            "The retransmission timeout, backed off.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_rto),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("NextTxSequence",
                            "The next sequence number to send, counted from 1.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_nextSequenceTrace),
                            "ns3::SequenceNumber32TracedValueCallback")
            .AddTraceSource("HighestSequence",
                            "The highest sequence number ever sent, counted from 1.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_highestSequenceTrace),
                            "ns3::SequenceNumber32TracedValueCallback")
            .AddTraceSource("PacingRate",
                            "The rate that data is paced by.",
                            MakeTraceSourceAccessor(&BulkTcpSocket::m_pacingRateTrace),
                            "ns3::TracedValueCallback::DataRate")
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

BulkTcpSocket::BulkTcpSocket()
    : m_timer([this] { OnTimer(); })
{
}

BulkTcpSocket::BulkTcpSocket(const BulkTcpSocket& listener)
    : Socket(listener),
      m_node(listener.m_node),
      m_ipv4(listener.m_ipv4),
      m_tcp(listener.m_tcp),
      m_protocol(listener.m_protocol),
      m_options(listener.m_options),
      m_sendBufferSize(listener.m_sendBufferSize),
      m_discards(listener.m_discards),
      m_timer([this] { OnTimer(); }),
      m_congestionWindowTrace(listener.m_congestionWindowTrace),
      m_slowStartThresholdTrace(listener.m_slowStartThresholdTrace),
      m_bytesInFlightTrace(listener.m_bytesInFlightTrace),
      m_rttTrace(listener.m_rttTrace),
      m_congStateTrace(listener.m_congStateTrace),
      m_nextSequenceTrace(listener.m_nextSequenceTrace),
      m_highestSequenceTrace(listener.m_highestSequenceTrace),
      m_pacingRateTrace(listener.m_pacingRateTrace),
      m_txTrace(listener.m_txTrace),
      m_rxTrace(listener.m_rxTrace)
{
}

BulkTcpSocket::~BulkTcpSocket() = default;

void
BulkTcpSocket::DoDispose()
{
    m_timer.Stop();
    ReleaseEndPoint();
    m_node = nullptr;
    m_ipv4 = nullptr;
    m_tcp = nullptr;
    m_protocol = nullptr;
    Socket::DoDispose();
}

void
BulkTcpSocket::Setup(Ptr<Node> node, const BulkTcpOptions& options)
{
    options.Validate();
    m_node = node;
    m_ipv4 = node->GetObject<Ipv4>();
    m_tcp = node->GetObject<TcpL4Protocol>();
    m_options = options;
    NS_ABORT_MSG_IF(!m_tcp || !m_ipv4,
                    "bulk-tcp needs an IPv4 stack on node "
                        << node->GetId() << ": InternetStackHelper installs one");
    m_protocol = BulkTcpProtocol::Of(node);
}

void
BulkTcpSocket::SetCongestionControlAlgorithm(Ptr<TcpCongestionOps> control)
{
    m_control = control;
}

int
BulkTcpSocket::Fail(SocketErrno error)
{
    m_errno = error;
    return -1;
}

void
BulkTcpSocket::UseEndPoint(Ipv4EndPoint* endPoint)
{
    m_endPoint = endPoint;
    m_endPoint->BindToNetDevice(GetBoundNetDevice());
    m_endPoint->SetRxCallback(MakeCallback(&BulkTcpSocket::ForwardUp, Ptr<BulkTcpSocket>(this)));
    m_endPoint->SetDestroyCallback(MakeCallback(&BulkTcpSocket::ForgetEndPoint, this));
}

void
BulkTcpSocket::ReleaseEndPoint()
{
    if (m_endPoint)
    {
        m_tcp->DeAllocate(m_endPoint); // calls ForgetEndPoint()
    }
}

void
BulkTcpSocket::ForgetEndPoint()
{
    if (m_peer)
    {
        m_protocol->Remove(m_connection);
    }
    m_endPoint = nullptr;
}

int
BulkTcpSocket::Bind(const Address& address)
{
    const InetSocketAddress own = Ipv4Of(address);
    if (m_endPoint)
    {
        return Fail(ERROR_INVAL);
    }
    const Ptr<NetDevice> device = GetBoundNetDevice();
    const bool anyAddress = own.GetIpv4() == Ipv4Address::GetAny();
    Ipv4EndPoint* endPoint = nullptr;
    if (own.GetPort() == 0)
    {
        endPoint = anyAddress ? m_tcp->Allocate() : m_tcp->Allocate(own.GetIpv4());
    }
    else
    {
        endPoint = m_tcp->Allocate(device, own.GetIpv4(), own.GetPort());
    }
    if (!endPoint)
    {
        return Fail(own.GetPort() == 0 ? ERROR_ADDRNOTAVAIL : ERROR_ADDRINUSE);
    }
    UseEndPoint(endPoint);
    return 0;
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
    if (m_endPoint)
    {
        m_endPoint->BindToNetDevice(device);
    }
}

int
BulkTcpSocket::Listen()
{
    if (m_state != TcpSocket::CLOSED || m_peer || !m_endPoint)
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
    if (!m_endPoint && Bind() != 0)
    {
        return -1;
    }
    SetIpTos(peer.GetTos());
    if (!Prepare(peer.GetIpv4(), peer.GetPort()))
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
        m_sender->Connect();
    }
}

/// Makes the two engines of a connection to a peer; false without a route.
bool
BulkTcpSocket::Prepare(Ipv4Address peer, std::uint16_t port)
{
    Ipv4Header header;
    header.SetDestination(peer);
    header.SetSource(m_endPoint->GetLocalAddress());
    SocketErrno error = ERROR_NOTERROR;
    const Ptr<Ipv4RoutingProtocol> routing = m_ipv4->GetRoutingProtocol();
    const Ptr<Ipv4Route> route =
        routing ? routing->RouteOutput(nullptr, header, GetBoundNetDevice(), error) : nullptr;
    if (!route)
    {
        return false;
    }
    if (m_endPoint->GetLocalAddress() == Ipv4Address::GetAny())
    {
        m_endPoint->SetLocalAddress(route->GetSource());
    }
    m_endPoint->SetPeer(peer, port);
    m_peer = InetSocketAddress(peer, port);
    m_connection = {m_endPoint->GetLocalAddress(), m_endPoint->GetLocalPort(), peer, port};
    m_protocol->Add(m_connection, this);
    m_options.mtu =
        std::min(m_options.mtu, geotrain::Bytes::Of(route->GetOutputDevice()->GetMtu()));
    m_codec = std::make_unique<SegmentCodec>(initialSequence,
                                             static_cast<std::uint32_t>(m_options.window.Count()));
    m_codec->SetPorts(m_endPoint->GetLocalPort(), port);
    if (!m_control)
    {
        m_control = MakeCongestionControl(FindCongestionControl(m_options.congestionControl),
                                          geotrain::StreamNumber("bulk-tcp", NameOf(*m_endPoint)));
    }
    BulkSenderEvents& sent = *this;
    BulkReceiverEvents& received = *this;
    m_sender = std::make_unique<BulkSender>(0, 0, m_options, m_control, m_fromSender, sent);
    m_receiver = std::make_unique<BulkReceiver>(0, 0, m_options, m_fromReceiver, received);
    ForwardTraces();
    return true;
}

void
BulkTcpSocket::ForwardTraces()
{
    const Ptr<TcpSocketState> state = m_sender->State();
    const auto connect = [&state](const std::string& name, auto& trace)
    {
        using Trace = std::remove_reference_t<decltype(trace)>;
        state->TraceConnectWithoutContext(name, MakeCallback(&Trace::operator(), &trace));
    };
    connect("CongestionWindow", m_congestionWindowTrace);
    connect("SlowStartThreshold", m_slowStartThresholdTrace);
    connect("BytesInFlight", m_bytesInFlightTrace);
    connect("RTT", m_rttTrace);
    connect("CongState", m_congStateTrace);
    connect("NextTxSequence", m_nextSequenceTrace);
    connect("HighestSequence", m_highestSequenceTrace);
    connect("PacingRate", m_pacingRateTrace);
    NoteRto();
}

void
BulkTcpSocket::NoteRto()
{
    m_rto = m_sender->RetransmissionTimeoutNow();
}

int
BulkTcpSocket::Send(Ptr<Packet> packet, uint32_t /*flags*/)
{
    if (m_closing)
    {
        return Fail(ERROR_SHUTDOWN);
    }
    if (!m_sender || m_state == TcpSocket::CLOSED)
    {
        return Fail(ERROR_NOTCONN);
    }
    if (packet->GetSize() > GetTxAvailable())
    {
        return Fail(ERROR_MSGSIZE);
    }
    if (packet->GetSize() > 0)
    {
        m_toSend.Append(packet->Copy());
        m_sender->Append(packet->GetSize());
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
    const std::uint64_t waiting = m_sender ? m_toSend.End() - m_sender->Una() : 0;
    const std::uint64_t room = m_sendBufferSize > waiting ? m_sendBufferSize - waiting : 0;
    return static_cast<uint32_t>(
        std::min<std::uint64_t>(room, INT32_MAX)); // what Send() can answer
}

uint32_t
BulkTcpSocket::GetRxAvailable() const
{
    return static_cast<uint32_t>(std::min<std::uint64_t>(m_received.Unread(), UINT32_MAX));
}

Ptr<Packet>
BulkTcpSocket::Recv(uint32_t maxSize, uint32_t /*flags*/)
{
    const Ptr<Packet> packet = m_received.Take(maxSize);
    if (!packet)
    {
        m_errno = ERROR_AGAIN;
        const bool atEnd = m_peerEnd && m_received.Next() == *m_peerEnd;
        return atEnd ? Create<Packet>() : nullptr;
    }
    if (m_delivering)
    {
        m_receiver->SetUnread(m_received.Unread());
    }
    else if (m_state != TcpSocket::CLOSED)
    {
        m_receiver->OnRead(m_received.Unread());
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
BulkTcpSocket::GetSockName(Address& address) const
{
    address = m_endPoint
                  ? InetSocketAddress(m_endPoint->GetLocalAddress(), m_endPoint->GetLocalPort())
                  : InetSocketAddress(Ipv4Address::GetZero(), 0);
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

Socket::SocketErrno
BulkTcpSocket::GetErrno() const
{
    return m_errno;
}

Socket::SocketType
BulkTcpSocket::GetSocketType() const
{
    return NS3_SOCK_STREAM;
}

Ptr<Node>
BulkTcpSocket::GetNode() const
{
    return m_node;
}

bool
BulkTcpSocket::SetAllowBroadcast(bool allow)
{
    return !allow;
}

bool
BulkTcpSocket::GetAllowBroadcast() const
{
    return false;
}

TcpSocket::TcpStates_t
BulkTcpSocket::State() const
{
    return m_state;
}

const BulkSender*
BulkTcpSocket::Sender() const
{
    return m_sender.get();
}

const BulkReceiver*
BulkTcpSocket::Receiver() const
{
    return m_receiver.get();
}

} // namespace ns3
