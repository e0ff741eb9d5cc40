// SPDX-License-Identifier: GPL-2.0-only
// Tests the short way of a TCP segment through LeanIpv4L3Protocol: which packets may take it, and
// that its result equals that of the long way.
#include "wan-topology/helper/lean-stack-helper.h"
#include "wan-topology/model/lean-ipv4-l3-protocol.h"
#include "wan-topology/model/wan-link-device.h"

#include <gtest/gtest.h>

#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/global-value.h>
#include <ns3/ip-l4-protocol.h>
#include <ns3/ipv4-global-routing-helper.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-static-routing-helper.h>
#include <ns3/simple-net-device.h>
#include <ns3/simulator.h>
#include <ns3/socket.h>

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Duration;

constexpr std::uint8_t tcp = 6;
constexpr std::uint8_t udp = 17;
constexpr std::uint32_t mtu = 1500;
constexpr std::uint32_t ipHeader = 20; // bytes

/// A Recorder takes TCP's place and keeps what it gets.
class Recorder : public IpL4Protocol
{
  public:
    int GetProtocolNumber() const override
    {
        return tcp;
    }

    RxStatus
    Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> /*interface*/) override
    {
        sizes.push_back(packet->GetSize());
        headers.push_back(header);
        return RX_OK;
    }

    RxStatus Receive(Ptr<Packet> /*packet*/,
                     const Ipv6Header& /*header*/,
                     Ptr<Ipv6Interface> /*interface*/) override
    {
        return RX_OK;
    }

    void SetDownTarget(DownTargetCallback /*callback*/) override
    {
    }

    void SetDownTarget6(DownTargetCallback6 /*callback*/) override
    {
    }

    DownTargetCallback GetDownTarget() const override
    {
        return {};
    }

    DownTargetCallback6 GetDownTarget6() const override
    {
        return {};
    }

    std::vector<std::uint32_t> sizes;
    std::vector<Ipv4Header> headers;
};

/// A LeanPair is two nodes with the stack and a link between them.
class LeanPair
{
  public:
    ~LeanPair()
    {
        Simulator::Destroy();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    /// Makes the nodes, with a link of 1 Gbit/s and 1 ms, and begins the simulation.
    void Begin(const Ipv4RoutingHelper& routing = Ipv4StaticRoutingHelper())
    {
        MakeNodes(routing);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
    }

    void MakeNodes(const Ipv4RoutingHelper& routing = Ipv4StaticRoutingHelper())
    {
        nodes.Create(2);
        LeanStackHelper(routing).Install(nodes);
        near = Attach(0, "10.0.0.1");
        far = Attach(1, "10.0.0.2");
        LinkModel::Settings link;
        link.rate = BitRate::GigabitsPerSecond(1);
        link.delay = Duration::Milliseconds(1);
        near->Connect(link, far);
        far->Connect(link, near);
        StackOf(1)->Insert(recorder);
    }

    Ptr<WanLinkDevice> Attach(std::uint32_t node, const char* address)
    {
        const Ptr<WanLinkDevice> device = CreateObject<WanLinkDevice>();
        nodes.Get(node)->AddDevice(device);
        device->SetMtu(mtu);
        const Ptr<Ipv4> ipv4 = StackOf(node);
        const std::uint32_t interface = ipv4->AddInterface(device);
        ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("/24")));
        ipv4->SetUp(interface);
        return device;
    }

    Ptr<LeanIpv4L3Protocol> StackOf(std::uint32_t node) const
    {
        return nodes.Get(node)->GetObject<LeanIpv4L3Protocol>();
    }

    static Ipv4Header HeaderOf(std::uint32_t payload)
    {
        Ipv4Header header;
        header.SetSource("10.0.0.1");
        header.SetDestination("10.0.0.2");
        header.SetProtocol(tcp);
        header.SetPayloadSize(static_cast<std::uint16_t>(payload));
        header.SetTtl(64);
        return header;
    }

    /// Returns whether a segment with this header may take the short way up at the far node.
    bool Delivers(const Ipv4Header& header, std::uint32_t padding = 0) const
    {
        const Ptr<Packet> packet = Create<Packet>(header.GetPayloadSize() + padding);
        packet->AddHeader(header);
        return StackOf(1)->Deliver(far, packet);
    }

    Ptr<Ipv4Route> RouteToFar() const
    {
        const Ptr<Ipv4Route> route = Create<Ipv4Route>();
        route->SetSource("10.0.0.1");
        route->SetDestination("10.0.0.2");
        route->SetGateway("0.0.0.0");
        route->SetOutputDevice(near);
        return route;
    }

    NodeContainer nodes;
    Ptr<WanLinkDevice> near;
    Ptr<WanLinkDevice> far;
    Ptr<Recorder> recorder = CreateObject<Recorder>();
};

struct LeanArrival
{
    std::int64_t ns;
    std::string bytes; ///< without the identification and the checksum, which is not used
};

/// What arrives at the far device of packets that TCP sends, the long way where `isWatched`.
std::vector<LeanArrival>
ArrivalsOf(const std::vector<std::uint32_t>& payloads,
           bool isWatched,
           const std::function<void(Packet&)>& tag)
{
    LeanPair pair;
    pair.Begin();
    std::vector<LeanArrival> arrivals;
    pair.far->TraceConnectWithoutContext(
        "MacRx",
        Callback<void, Ptr<const Packet>>(
            [&arrivals](Ptr<const Packet> packet)
            {
                std::string bytes(packet->GetSize(), '\0');
                packet->CopyData(reinterpret_cast<std::uint8_t*>(bytes.data()), packet->GetSize());
                bytes[4] = bytes[5] = 0;
                arrivals.push_back({Simulator::Now().GetNanoSeconds(), bytes});
            }));
    if (isWatched)
    {
        pair.StackOf(0)->Watch();
        pair.StackOf(1)->Watch();
    }
    for (const std::uint32_t payload : payloads)
    {
        const Ptr<Packet> packet = Create<Packet>(payload);
        tag(*packet);
        pair.StackOf(0)->Send(packet, "10.0.0.1", "10.0.0.2", tcp, pair.RouteToFar());
    }
    Simulator::Run();
    EXPECT_EQ(pair.recorder->sizes, payloads);
    return arrivals;
}

void
ExpectSameBothWays(const std::vector<std::uint32_t>& payloads,
                   const std::function<void(Packet&)>& tag)
{
    const std::vector<LeanArrival> lean = ArrivalsOf(payloads, false, tag);
    const std::vector<LeanArrival> full = ArrivalsOf(payloads, true, tag);
    ASSERT_EQ(lean.size(), full.size());
    for (std::size_t i = 0; i < lean.size(); ++i)
    {
        EXPECT_EQ(lean[i].ns, full[i].ns) << "packet " << i;
        EXPECT_EQ(lean[i].bytes, full[i].bytes) << "packet " << i;
    }
}

TEST(LeanStack, ASegmentForTheInterfaceGoesToTcp)
{
    LeanPair pair;
    pair.Begin();
    Ipv4Header header = LeanPair::HeaderOf(1000);
    header.SetTos(3);
    EXPECT_TRUE(pair.Delivers(header));
    ASSERT_EQ(pair.recorder->sizes, std::vector<std::uint32_t>{1000});
    EXPECT_EQ(pair.recorder->headers[0].GetEcn(), Ipv4Header::ECN_CE);
    EXPECT_EQ(pair.recorder->headers[0].GetSource(), Ipv4Address("10.0.0.1"));
}

TEST(LeanStack, PaddingOfADeviceIsCutOff)
{
    LeanPair pair;
    pair.Begin();
    EXPECT_TRUE(pair.Delivers(LeanPair::HeaderOf(10), 16));
    EXPECT_EQ(pair.recorder->sizes, std::vector<std::uint32_t>{10});
}

TEST(LeanStack, WhatIsNoWholeSegmentForTheInterfaceGoesTheLongWay)
{
    LeanPair pair;
    pair.Begin();
    const std::vector<std::pair<const char*, std::function<void(Ipv4Header&)>>> changes = {
        {"another protocol", [](Ipv4Header& header) { header.SetProtocol(udp); }},
        {"a first fragment", [](Ipv4Header& header) { header.SetMoreFragments(); }},
        {"a last fragment", [](Ipv4Header& header) { header.SetFragmentOffset(1480); }},
        {"a fragment far behind", [](Ipv4Header& header) { header.SetFragmentOffset(2048); }},
        {"another host", [](Ipv4Header& header) { header.SetDestination("10.0.0.3"); }},
        {"broadcast", [](Ipv4Header& header) { header.SetDestination("10.0.0.255"); }},
        {"multicast", [](Ipv4Header& header) { header.SetDestination("224.0.0.5"); }},
    };
    for (const auto& [name, change] : changes)
    {
        Ipv4Header header = LeanPair::HeaderOf(100);
        change(header);
        EXPECT_FALSE(pair.Delivers(header)) << name;
    }
    EXPECT_FALSE(pair.StackOf(1)->Deliver(pair.far, Create<Packet>(10))) << "shorter than a header";
    std::vector<std::uint8_t> options(60, 0);
    options[0] = 0x46; // six words
    options[9] = tcp;
    Ipv4Address("10.0.0.2").Serialize(&options[16]);
    EXPECT_FALSE(pair.StackOf(1)->Deliver(pair.far, Create<Packet>(options.data(), 60)))
        << "IP options";
    EXPECT_TRUE(pair.recorder->sizes.empty());
}

TEST(LeanStack, ATraceSourceIsToldOfEveryPacketOnceSomebodyListens)
{
    for (const char* source : {"Tx", "Rx", "SendOutgoing", "LocalDeliver"})
    {
        LeanPair pair;
        pair.Begin();
        const auto send = [&pair]
        {
            pair.StackOf(0)->Send(
                Create<Packet>(100), "10.0.0.1", "10.0.0.2", tcp, pair.RouteToFar());
            Simulator::Stop(MilliSeconds(5));
            Simulator::Run();
        };
        send(); // nobody listens yet
        int told = 0;
        const std::string name = source;
        if (name == "Tx" || name == "Rx")
        {
            Config::Connect("/NodeList/*/$ns3::Ipv4L3Protocol/" + name,
                            Callback<void, std::string, Ptr<const Packet>, Ptr<Ipv4>, uint32_t>(
                                [&told](const std::string&, Ptr<const Packet>, Ptr<Ipv4>, uint32_t)
                                { ++told; }));
        }
        else
        {
            const Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t> tell(
                [&told](const Ipv4Header&, Ptr<const Packet>, uint32_t) { ++told; });
            pair.StackOf(0)->TraceConnectWithoutContext(name, tell);
            pair.StackOf(1)->TraceConnectWithoutContext(name, tell);
        }
        send();
        send();
        EXPECT_EQ(told, 2) << name;
        EXPECT_EQ(pair.recorder->sizes.size(), 3U) << name;
    }
}

TEST(LeanStack, ARawSocketOpensTheLongWay)
{
    LeanPair pair;
    pair.Begin();
    pair.StackOf(1)->CreateRawSocket();
    EXPECT_FALSE(pair.Delivers(LeanPair::HeaderOf(100)));
}

TEST(LeanStack, ChecksumsOpenTheLongWay)
{
    LeanPair pair;
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    pair.Begin();
    EXPECT_FALSE(pair.Delivers(LeanPair::HeaderOf(100)));
}

TEST(LeanStack, AnInterfaceThatIsDownTakesNothing)
{
    LeanPair pair;
    pair.Begin();
    pair.StackOf(1)->SetDown(1);
    EXPECT_FALSE(pair.Delivers(LeanPair::HeaderOf(100)));
    pair.StackOf(0)->SetDown(1);
    pair.StackOf(0)->Send(Create<Packet>(100), "10.0.0.1", "10.0.0.2", tcp, pair.RouteToFar());
    Simulator::Run();
    EXPECT_EQ(pair.near->GetLink().GetCounters().acceptedPackets, 0U);
}

TEST(LeanStack, BeforeTheSimulationAllGoesTheLongWay)
{
    LeanPair pair;
    pair.MakeNodes();
    EXPECT_FALSE(pair.Delivers(LeanPair::HeaderOf(100)));
}

TEST(LeanStack, ARoutingProtocolOfAnotherKindSeesEveryPacket)
{
    LeanPair pair;
    pair.Begin(Ipv4GlobalRoutingHelper());
    EXPECT_FALSE(pair.Delivers(LeanPair::HeaderOf(100)));
}

TEST(LeanStack, ADeviceBehindArpTakesTheLongWay)
{
    LeanPair pair;
    pair.MakeNodes();
    const Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
    pair.nodes.Get(1)->AddDevice(device);
    const std::uint32_t interface = pair.StackOf(1)->AddInterface(device);
    pair.StackOf(1)->AddAddress(interface, Ipv4InterfaceAddress("10.0.0.2", Ipv4Mask("/24")));
    pair.StackOf(1)->SetUp(interface);
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    const Ptr<Packet> packet = Create<Packet>(100);
    packet->AddHeader(LeanPair::HeaderOf(100));
    EXPECT_FALSE(pair.StackOf(1)->Deliver(device, packet));
}

TEST(LeanStack, BothWaysLeaveTheSameBytesAtTheSameTime)
{
    ExpectSameBothWays({0, 1, 1000, mtu - ipHeader, 40, 40}, [](Packet&) {});
}

TEST(LeanStack, BothWaysCutWhatIsLargerThanTheMtu)
{
    ExpectSameBothWays({mtu - ipHeader + 1, 4000}, [](Packet&) {});
}

TEST(LeanStack, BothWaysHeedTheTagsOfASocket)
{
    const auto tag = [](Packet& packet)
    {
        SocketIpTosTag tos;
        tos.SetTos(0x2a); // AF11 with ECT(0)
        packet.AddPacketTag(tos);
        SocketIpTtlTag ttl;
        ttl.SetTtl(7);
        packet.AddPacketTag(ttl);
    };
    ExpectSameBothWays({100, 1000}, tag);
    const std::vector<LeanArrival> arrivals = ArrivalsOf({100}, false, tag);
    EXPECT_EQ(arrivals.at(0).bytes[1], 0x2a);
    EXPECT_EQ(arrivals.at(0).bytes[8], 7);
}

} // namespace
} // namespace ns3
