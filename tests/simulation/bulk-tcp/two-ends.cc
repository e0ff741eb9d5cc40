// SPDX-License-Identifier: GPL-2.0-only
#include "two-ends.h"

#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "bulk-tcp/model/congestion-control-types.h"

#include <ns3/boolean.h>
#include <ns3/enum.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/uinteger.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint16_t port = 5000;
constexpr std::uint32_t writeSize = 100000;
constexpr std::uint32_t uncheckedWriteSize = 100000000;

/// Returns a byte of a pattern that every shift by less than 251 x 256 bytes changes.
std::uint8_t
PatternAt(std::uint64_t offset)
{
    return static_cast<std::uint8_t>(offset % 251 + offset / 251);
}

} // namespace

bool
FaultyLinkDevice::Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol)
{
    Ipv4Header ip;
    TcpHeader tcp;
    packet->RemoveHeader(ip);
    packet->PeekHeader(tcp);
    const std::uint32_t payload = packet->GetSize() - tcp.GetSerializedSize();
    const Fate fate = decide ? decide(tcp, payload) : Fate::Passes;
    const bool ect = ip.GetEcn() != Ipv4Header::ECN_NotECT;
    ectPackets += ect ? 1 : 0;
    const bool marks = fate == Fate::Marked && ect;
    if (marks)
    {
        ip.SetEcn(Ipv4Header::ECN_CE);
    }
    if (Node::ChecksumEnabled())
    {
        ip.EnableChecksum();
    }
    packet->AddHeader(ip);
    faults += marks || fate == Fate::Lost ? 1 : 0;
    return fate == Fate::Lost || WanLinkDevice::Send(packet, destination, protocol);
}

TwoEnds::TwoEnds(const Setup& setup)
    : m_setup(setup),
      m_near(CreateObject<Node>()),
      m_far(CreateObject<Node>())
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(NodeContainer(m_near, m_far));
    m_fromNear = AddDevice(m_near, "10.0.0.1");
    m_fromFar = AddDevice(m_far, "10.0.0.2");
    LinkModel::Settings forward = setup.link;
    LinkModel::Settings backward = setup.link;
    forward.name += ">";
    backward.name += "<";
    m_fromNear->Connect(forward, m_fromFar);
    m_fromFar->Connect(backward, m_fromNear);

    m_listener = MakeSocket(m_far, setup.acceptor);
    m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  [this](Ptr<Socket> socket, const Address&)
                                  { OnAccepted(socket); });
    m_connector = MakeSocket(m_near, setup.connector);
    m_connector->Bind();
    m_connector->SetConnectCallback([this](Ptr<Socket> socket)
                                    { Watch(socket, m_setup.connectorSends); },
                                    [this](Ptr<Socket>) { failed = true; });
    Simulator::ScheduleNow([this] { m_connector->Connect(InetSocketAddress("10.0.0.2", port)); });
}

Ptr<FaultyLinkDevice>
TwoEnds::AddDevice(Ptr<Node> node, const char* address)
{
    const Ptr<FaultyLinkDevice> device = CreateObject<FaultyLinkDevice>();
    node->AddDevice(device);
    device->SetMtu(static_cast<std::uint16_t>(m_setup.options.mtu.Count()));
    const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    const std::uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, "255.255.255.0"));
    ipv4->SetUp(interface);
    return device;
}

Ptr<Socket>
TwoEnds::MakeSocket(Ptr<Node> node, Kind kind) const
{
    if (kind == Kind::Bulk)
    {
        return BulkTcpHelper(m_setup.options).CreateSocket(node);
    }
    const Ptr<Socket> socket = node->GetObject<TcpL4Protocol>()->CreateSocket(
        FindCongestionControl(m_setup.options.congestionControl));
    const auto window = static_cast<std::uint32_t>(m_setup.options.window.Count());
    socket->SetAttribute("SegmentSize", UintegerValue(m_setup.options.SegmentSize()));
    // The send buffer is smaller than the receiver's window, which the bytes sent must not fill
    // exactly (TcpTxBuffer::NextSeg crashes).
    socket->SetAttribute("SndBufSize", UintegerValue(window / 4 * 3));
    socket->SetAttribute("RcvBufSize", UintegerValue(window));
    socket->SetAttribute("PersistTimeout", TimeValue(Seconds(1)));
    for (const auto& [name, value] : m_setup.stockAttributes)
    {
        socket->SetAttribute(name, BooleanValue(value));
    }
    if (!m_setup.stockEcn.empty())
    {
        socket->SetAttribute("UseEcn", StringValue(m_setup.stockEcn));
    }
    return socket;
}

void
TwoEnds::OnAccepted(Ptr<Socket> socket)
{
    m_acceptor = socket;
    Watch(socket, !m_setup.connectorSends);
}

void
TwoEnds::Watch(Ptr<Socket> socket, bool sends)
{
    bool& closed = sends ? senderClosed : receiverClosed;
    socket->SetCloseCallbacks(
        [this, &closed, sends](Ptr<Socket> closing)
        {
            closed = true;
            if (!sends)
            {
                closing->Close();
            }
        },
        [this](Ptr<Socket>) { failed = true; });
    if (sends)
    {
        socket->SetSendCallback([this](Ptr<Socket> ready, std::uint32_t) { Write(ready); });
        Write(socket);
        return;
    }
    socket->SetRecvCallback(
        [this](Ptr<Socket> readable)
        {
            if (Simulator::Now() >= m_setup.readingBegins)
            {
                Read(readable);
            }
        });
    if (m_setup.readingBegins > Simulator::Now())
    {
        Simulator::Schedule(m_setup.readingBegins - Simulator::Now(),
                            [this, socket] { Read(socket); });
    }
}

void
TwoEnds::Write(Ptr<Socket> socket)
{
    while (written < m_setup.size)
    {
        const auto part = static_cast<std::uint32_t>(
            std::min<std::uint64_t>({m_setup.size - written,
                                     socket->GetTxAvailable(),
                                     m_setup.checked ? writeSize : uncheckedWriteSize}));
        if (part == 0)
        {
            return;
        }
        Ptr<Packet> packet;
        if (m_setup.checked)
        {
            std::vector<std::uint8_t> bytes(part);
            for (std::uint32_t i = 0; i < part; ++i)
            {
                bytes[i] = PatternAt(written + i);
            }
            packet = Create<Packet>(bytes.data(), part);
        }
        else
        {
            packet = Create<Packet>(part);
        }
        if (socket->Send(packet) < 0)
        {
            return;
        }
        written += part;
    }
    if (!m_writtenAll)
    {
        m_writtenAll = true;
        socket->Close();
    }
}

void
TwoEnds::Read(Ptr<Socket> socket)
{
    while (const Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
        if (m_setup.checked)
        {
            Compare(*packet);
        }
        read += packet->GetSize();
        if (whenRead)
        {
            whenRead();
        }
    }
}

void
TwoEnds::Compare(const Packet& packet)
{
    std::vector<std::uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), packet.GetSize());
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        wrong += bytes[i] == PatternAt(read + i) ? 0 : 1;
    }
}

void
TwoEnds::Run(Time deadline)
{
    Simulator::Stop(deadline - Simulator::Now());
    Simulator::Run();
}

Ptr<Node>
TwoEnds::ConnectorNode() const
{
    return m_near;
}

Ptr<Node>
TwoEnds::AcceptorNode() const
{
    return m_far;
}

FaultyLinkDevice&
TwoEnds::FromConnector()
{
    return *m_fromNear;
}

FaultyLinkDevice&
TwoEnds::FromAcceptor()
{
    return *m_fromFar;
}

FaultyLinkDevice&
TwoEnds::FromSender()
{
    return m_setup.connectorSends ? FromConnector() : FromAcceptor();
}

FaultyLinkDevice&
TwoEnds::FromReceiver()
{
    return m_setup.connectorSends ? FromAcceptor() : FromConnector();
}

Ptr<Socket>
TwoEnds::Connector() const
{
    return m_connector;
}

Ptr<Socket>
TwoEnds::Acceptor() const
{
    return m_acceptor;
}

namespace
{

/// A StateReader reads the state of ns-3 3.37's socket, which tells it only to its trace.
class StateReader : public TcpSocketBase
{
  public:
    static TcpStates_t Read(const TcpSocketBase& socket)
    {
        return (socket.*(&StateReader::m_state)).Get();
    }
};

} // namespace

TwoEnds::Setup
SetupOf(TwoEnds::Kind connector, TwoEnds::Kind acceptor, const std::string& link)
{
    TwoEnds::Setup setup;
    setup.connector = connector;
    setup.acceptor = acceptor;
    setup.options.congestionControl = "TcpNewReno";
    setup.options.window = geotrain::Bytes::Of(344 * setup.options.SegmentSize());
    setup.link.rate = geotrain::BitRate::BitsPerSecond(100000000);
    setup.link.delay = geotrain::Duration::Milliseconds(5);
    setup.link.name = link;
    return setup;
}

TcpSocket::TcpStates_t
StateOf(Ptr<Socket> socket)
{
    const Ptr<BulkTcpSocket> bulk = DynamicCast<BulkTcpSocket>(socket);
    return bulk ? bulk->State() : StateReader::Read(*DynamicCast<TcpSocketBase>(socket));
}

} // namespace ns3
