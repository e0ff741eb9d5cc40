// SPDX-License-Identifier: GPL-2.0-only
#include "stock-oracle.h"

#include "fast-stock-socket.h"

#include "bulk-tcp/model/congestion-control-types.h"
#include "express-path-helper.h"
#include "wan-topology/model/wan-link-device.h"

#include <ns3/boolean.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-header.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/ipv4-static-routing.h>
#include <ns3/packet.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>
#include <ns3/string.h>
#include <ns3/tcp-header.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-prr-recovery.h>
#include <ns3/tcp-socket-base.h>
#include <ns3/uinteger.h>

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::uint16_t port = 5000;
constexpr std::uint32_t writeSize = 1000000;
constexpr std::int64_t randomStream = 7; ///< random stream of TcpBbr, on both sides

/// A FaultyDevice drops or marks the first transmission of listed segments.
class FaultyDevice : public WanLinkDevice
{
  public:
    ListedFaults faults;
    std::uint64_t happened = 0;

    bool Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol) override
    {
        Ipv4Header ip;
        TcpHeader tcp;
        packet->RemoveHeader(ip);
        packet->PeekHeader(tcp);
        const std::uint64_t offset = tcp.GetSequenceNumber().GetValue() - 1;
        const bool data = packet->GetSize() > tcp.GetSerializedSize();
        if (data && faults.marked.erase(offset) > 0)
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
            ++happened;
        }
        packet->AddHeader(ip);
        if (data && faults.dropped.erase(offset) > 0)
        {
            ++happened;
            return true;
        }
        return WanLinkDevice::Send(packet, destination, protocol);
    }
};

/// A FaultyElement drops or marks the first transmission of listed segments for packet records.
class FaultyElement : public PacketElement
{
  public:
    FaultyElement(const ListedFaults& faults, std::uint64_t& happened, PacketElement& next)
        : m_faults(faults),
          m_happened(happened),
          m_next(next)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        PacketRecord passed = record;
        if (record.kind == PacketRecord::Kind::Data)
        {
            if (m_faults.dropped.erase(record.offset) > 0)
            {
                ++m_happened;
                return;
            }
            if ((record.flags & PacketRecord::EctCapable) != 0 &&
                m_faults.marked.erase(record.offset) > 0)
            {
                ++m_happened;
                passed.flags |= PacketRecord::CongestionExperienced;
            }
        }
        m_next.Receive(passed);
    }

  private:
    ListedFaults m_faults;
    std::uint64_t& m_happened;
    PacketElement& m_next;
};

Ptr<FaultyDevice>
AddDevice(Ptr<Node> node, const char* address, std::uint16_t mtu)
{
    const Ptr<FaultyDevice> device = CreateObject<FaultyDevice>();
    node->AddDevice(device);
    device->SetMtu(mtu);
    const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    const std::uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, "255.255.255.0"));
    ipv4->SetUp(interface);
    return device;
}

/// Makes the control that the options ask for. Its calls are written to `log`, which may be null.
Ptr<ObservedControl>
MakeObserved(const BulkTcpOptions& options, std::shared_ptr<ObservedControl::Log> log)
{
    const Ptr<ObservedControl> control = CreateObject<ObservedControl>();
    control->Host(
        MakeCongestionControl(FindCongestionControl(options.congestionControl), randomStream),
        std::move(log));
    return control;
}

Ptr<TcpSocketBase>
CreateSocket(Ptr<Node> node, const BulkTcpOptions& options, StockSender kind)
{
    if (kind == StockSender::Fast)
    {
        return FastStockSocket::Create(node);
    }
    return DynamicCast<TcpSocketBase>(node->GetObject<TcpL4Protocol>()->CreateSocket(
        FindCongestionControl(options.congestionControl), TcpPrrRecovery::GetTypeId()));
}

Ptr<TcpSocketBase>
MakeSocket(Ptr<Node> node,
           const BulkTcpOptions& options,
           Ptr<ObservedControl> control,
           StockSender kind)
{
    const Ptr<TcpSocketBase> socket = CreateSocket(node, options, kind);
    socket->SetCongestionControlAlgorithm(control);
    socket->SetAttribute("SegmentSize", UintegerValue(options.SegmentSize()));
    socket->SetAttribute("SndBufSize", UintegerValue(1U << 30));
    socket->SetAttribute("RcvBufSize",
                         UintegerValue(static_cast<uint32_t>(options.window.Count())));
    socket->SetAttribute("InitialCwnd", UintegerValue(options.initialWindow));
    socket->SetAttribute("MinRto", TimeValue(MilliSeconds(1000)));
    return socket;
}

/// StockEnds writes to a socket, reads from the accepted one, and stops when all bytes have
/// arrived.
class StockEnds
{
  public:
    StockEnds(Ptr<TcpSocketBase> sender, Ptr<TcpSocketBase> listener, std::uint64_t size)
        : m_sender(sender),
          m_toWrite(size),
          m_toRead(size)
    {
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeCallback(&StockEnds::Accept, this));
        sender->SetSendCallback(MakeCallback(&StockEnds::Write, this));
    }

    /// Connects and writes at once, so that data waits when the handshake ends.
    void Begin()
    {
        m_sender->Connect(InetSocketAddress("10.0.0.2", port));
        Write(m_sender, 0);
    }

    std::int64_t completionNs = 0;

  private:
    void Write(Ptr<Socket> socket, uint32_t /*room*/)
    {
        while (m_toWrite > 0 && socket->GetTxAvailable() > 0)
        {
            const auto part = static_cast<uint32_t>(
                std::min<std::uint64_t>({m_toWrite, socket->GetTxAvailable(), writeSize}));
            const int sent = socket->Send(Create<Packet>(part));
            if (sent <= 0)
            {
                return;
            }
            m_toWrite -= static_cast<std::uint64_t>(sent);
        }
    }

    void Accept(Ptr<Socket> socket, const Address& /*from*/)
    {
        socket->SetRecvCallback(MakeCallback(&StockEnds::Read, this));
    }

    void Read(Ptr<Socket> socket)
    {
        while (const Ptr<Packet> packet = socket->Recv())
        {
            m_toRead -= packet->GetSize();
        }
        if (m_toRead == 0)
        {
            completionNs = Simulator::Now().GetNanoSeconds();
            Simulator::Stop();
        }
    }

    Ptr<TcpSocketBase> m_sender;
    std::uint64_t m_toWrite;
    std::uint64_t m_toRead;
};

} // namespace

TransferResult
StockTransfer(const BulkTcpOptions& options,
              const LinkModel::Settings& link,
              std::uint64_t size,
              const ListedFaults& faults,
              std::shared_ptr<ObservedControl::Log> log,
              StockSender kind)
{
    const Ptr<Node> near = CreateObject<Node>();
    const Ptr<Node> far = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(near);
    stack.Install(far);
    const auto mtu = static_cast<std::uint16_t>(options.mtu.Count());
    const Ptr<FaultyDevice> a = AddDevice(near, "10.0.0.1", mtu);
    const Ptr<FaultyDevice> b = AddDevice(far, "10.0.0.2", mtu);
    a->faults = faults;
    a->Connect(link, b);
    b->Connect(link, a);

    const Ptr<TcpSocketBase> listener =
        MakeSocket(far, options, MakeObserved(options, nullptr), StockSender::Scanning);
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    const Ptr<ObservedControl> control = MakeObserved(options, std::move(log));
    const Ptr<TcpSocketBase> sender = MakeSocket(near, options, control, kind);
    sender->Bind();
    StockEnds ends(sender, listener, size);
    listener->Listen();
    ends.Begin();
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    const TransferResult result{ends.completionNs, a->happened, control->RoundsInAvoidance()};
    Simulator::Destroy();
    return result;
}

TransferResult
ExpressTransfer(const BulkTcpOptions& options,
                const LinkModel::Settings& link,
                std::uint64_t size,
                const ListedFaults& faults,
                std::shared_ptr<ObservedControl::Log> log)
{
    TransferResult result;
    ExpressPathHelper path;
    path.AddLink(link);
    path.PutBeforeForward([&](PacketElement& next)
                          { return std::make_unique<FaultyElement>(faults, result.faults, next); });
    path.Build();
    const Ptr<ObservedControl> control = MakeObserved(options, std::move(log));
    path.Sender(path.AddFlow(options, control)).Send(1, size);
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    path.CheckConservation();
    result.roundsInAvoidance = control->RoundsInAvoidance();
    result.completionNs = path.Log().deliveredNs.empty() ? 0 : path.Log().deliveredNs.front();
    Simulator::Destroy();
    return result;
}

} // namespace ns3
