// SPDX-License-Identifier: GPL-2.0-only
// Lets bulk-tcp's device bearer talk to the kernel's TCP: a simulated node in real time at one end of
// a live WAN, a socket of Linux at the other, 100 MB each way, and 1 % of the packets lost in both
// directions. Every byte is compared.
#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "live-lab.h"
#include "live-sockets.h"
#include "live-wan/model/ip-frame.h"
#include "live-wan/model/wall-clock-simulator-impl.h"
#include "wan-topology/model/wan-link-device.h"

#include <ns3/abort.h>
#include <ns3/boolean.h>
#include <ns3/global-value.h>
#include <ns3/inet-socket-address.h>
#include <ns3/internet-stack-helper.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/node.h>
#include <ns3/packet.h>

#include <cstdlib>

namespace ns3
{
namespace
{

constexpr std::uint64_t SIZE = 100000000;
constexpr std::size_t PIECE = 65536;
constexpr std::uint16_t PORT = 5001;

/// An End is what a receiving end saw.
struct End
{
    std::uint64_t received;
    std::uint64_t wrong;
};

/// Returns a byte of a pattern that every shift by less than 251 x 256 bytes changes.
std::uint8_t
KernelPatternAt(std::uint64_t offset)
{
    return static_cast<std::uint8_t>(offset % 251 + offset / 251);
}

std::vector<std::uint8_t>
KernelPattern(std::uint64_t offset, std::size_t size)
{
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        bytes[i] = KernelPatternAt(offset + i);
    }
    return bytes;
}

void
CompareWithPattern(End& end, const std::uint8_t* bytes, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        end.wrong += bytes[i] == KernelPatternAt(end.received + i) ? 0 : 1;
    }
    end.received += size;
}

/// A PortDevice gives what a simulated node sends to an interface of the machine, and the other way
/// round.
class PortDevice : public WanLinkDevice
{
  public:
    PortDevice()
        : m_port("eth0", 1514)
    {
        WallClockSimulatorImpl::InUse().WatchDescriptor(m_port.Descriptor(), [this] { Read(); });
    }

    bool IsLinkUp() const override
    {
        return true;
    }

    bool Send(Ptr<Packet> packet, const Address& /*destination*/, uint16_t /*protocol*/) override
    {
        std::vector<std::uint8_t> frame(IpFrame::s_ethernetBytes + packet->GetSize());
        frame[12] = 0x08; // IPv4
        packet->CopyData(frame.data() + IpFrame::s_ethernetBytes, packet->GetSize());
        m_port.Append(frame.data(), frame.size());
        return m_port.Flush() == 0;
    }

    void SetReceiveCallback(ReceiveCallback callback) override
    {
        m_receive = callback;
    }

  private:
    void Read()
    {
        m_port.Read(256,
                    [this](const PacketPort::Frame& frame)
                    {
                        if (IpFrame::Parse(frame.bytes, frame.size))
                        {
                            m_receive(this,
                                      Create<Packet>(frame.bytes + IpFrame::s_ethernetBytes,
                                                     frame.size - IpFrame::s_ethernetBytes),
                                      Ipv4L3Protocol::PROT_NUMBER,
                                      GetAddress());
                        }
                    });
    }

    PacketPort m_port;
    ReceiveCallback m_receive;
};

/// A SimulatedEnd is node 0: a bulk-tcp socket that connects to node 1, and sends or receives.
class SimulatedEnd
{
  public:
    SimulatedEnd(bool sends, End& end)
        : m_sends(sends),
          m_end(end)
    {
        // The kernel must not answer for the simulated node, whose address this interface has.
        NS_ABORT_MSG_IF(std::system("ip addr flush dev eth0") != 0, "the address stays");
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        UseWallClock();
        m_node = CreateObject<Node>();
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.Install(m_node);
        const Ptr<PortDevice> device = CreateObject<PortDevice>();
        m_node->AddDevice(device);
        const Ptr<Ipv4> ipv4 = m_node->GetObject<Ipv4>();
        const std::uint32_t interface = ipv4->AddInterface(device);
        ipv4->AddAddress(
            interface,
            Ipv4InterfaceAddress(Ipv4Address(LiveAddresses::OfNode(0)), "255.255.255.0"));
        ipv4->SetUp(interface);
        BulkTcpOptions options;
        options.window = geotrain::Bytes::Of(4000000);
        m_socket = BulkTcpHelper(options).CreateSocket(m_node);
    }

    void Run()
    {
        m_socket->Bind();
        m_socket->SetConnectCallback([this](Ptr<Socket>) { Write(); },
                                     [this](Ptr<Socket>) { m_isOver = true; });
        m_socket->SetSendCallback([this](Ptr<Socket>, std::uint32_t) { Write(); });
        m_socket->SetRecvCallback([this](Ptr<Socket>) { Read(); });
        m_socket->SetCloseCallbacks([this](Ptr<Socket>) { OnClosed(); },
                                    [this](Ptr<Socket>) { m_isOver = true; });
        m_socket->Connect(InetSocketAddress(Ipv4Address(LiveAddresses::OfNode(1)), PORT));
        WallClockSimulatorImpl::InUse().SetExpectsMore([this] { return !m_isOver; });
        Simulator::Run();
    }

  private:
    void Write()
    {
        while (m_sends && m_written < SIZE)
        {
            const auto part = static_cast<std::uint32_t>(
                std::min<std::uint64_t>({SIZE - m_written, m_socket->GetTxAvailable(), PIECE}));
            if (part == 0)
            {
                return;
            }
            const auto bytes = KernelPattern(m_written, part);
            m_socket->Send(Create<Packet>(bytes.data(), part));
            m_written += part;
        }
        if (m_sends && !m_isClosing)
        {
            m_isClosing = true;
            m_socket->Close();
        }
    }

    void Read()
    {
        for (Ptr<Packet> packet = m_socket->Recv(); packet && packet->GetSize() > 0;
             packet = m_socket->Recv())
        {
            std::vector<std::uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            CompareWithPattern(m_end, bytes.data(), bytes.size());
        }
    }

    void OnClosed()
    {
        Read();
        m_socket->Close();
        m_isOver = true;
    }

    bool m_sends;
    End& m_end;
    Ptr<Node> m_node;
    Ptr<Socket> m_socket;
    std::uint64_t m_written = 0;
    bool m_isClosing = false;
    bool m_isOver = false;
};

/// Is node 1: takes one connection, and sends or receives until the other end closes.
void
RunKernelEnd(bool sends, End& end)
{
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in own = LiveEndpoint(1);
    NS_ABORT_MSG_IF(bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0,
                    "the port is taken");
    listen(listener, 1);
    const int descriptor = accept(listener, nullptr, nullptr);
    for (std::uint64_t written = 0; sends && written < SIZE;)
    {
        const auto bytes = KernelPattern(written, std::min<std::uint64_t>(PIECE, SIZE - written));
        const ssize_t taken = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (taken <= 0)
        {
            return;
        }
        written += static_cast<std::uint64_t>(taken);
    }
    if (sends)
    {
        shutdown(descriptor, SHUT_WR);
    }
    std::vector<std::uint8_t> bytes(PIECE);
    for (ssize_t got = 1; got > 0;)
    {
        got = recv(descriptor, bytes.data(), bytes.size(), 0);
        CompareWithPattern(end, bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    close(descriptor);
}

class KernelEnd : public testing::TestWithParam<bool>
{
};

TEST_P(KernelEnd, AHundredMegabytesCrossUnharmed)
{
    const bool simulatedSends = GetParam();
    auto topology = LiveTwoNodes(geotrain::BitRate::BitsPerSecond(400000000),
                                 geotrain::Duration::Milliseconds(1));
    topology.links[0].lossRate = 0.01; // in both directions
    Shared<End> end;
    Shared<LiveWanReport> report;
    if (!RunLive(topology,
                 {{1, [&] { RunKernelEnd(!simulatedSends, *end); }},
                  {0, [&] { SimulatedEnd(simulatedSends, *end).Run(); }}},
                 *report))
    {
        GTEST_SKIP() << "the kernel allows no namespaces here";
    }
    EXPECT_EQ(end->received, SIZE);
    EXPECT_EQ(end->wrong, 0U);
    // One of a hundred packets, and an acknowledgement for two of them at least: what left is fewer
    // than what came.
    EXPECT_GT(report->taken - report->given, SIZE / 1448 / 100 / 2);
}

INSTANTIATE_TEST_SUITE_P(Directions,
                         KernelEnd,
                         testing::Bool(),
                         [](const auto& sends)
                         { return sends.param ? "FromSimulation" : "FromKernel"; });

} // namespace
} // namespace ns3
