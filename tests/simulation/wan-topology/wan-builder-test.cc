// SPDX-License-Identifier: GPL-2.0-only
// Sends UDP through the WAN that WanBuilder makes, and checks delays, caps, sharing, losses and
// counters against their formulas.
#include "udp-flow.h"

#include "units/config-error.h"

#include <ns3/ipv4.h>
#include <ns3/tcp-socket-factory.h>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::uint32_t jumbo = 9000;

BitRate
Gbps(std::int64_t rate)
{
    return BitRate::GigabitsPerSecond(rate);
}

/// The measured span begins well after the first arrival at 20 ms, and all flows still send during
/// it.
const Time from = MilliSeconds(60);
const Time to = MilliSeconds(160);
const Time stop = MilliSeconds(150);

class WanBuilderTest : public WanSimulation
{
};

TEST_F(WanBuilderTest, DelayIsPropagationAndOneTransmissionALink)
{
    geotrain::WanTopology topology = Chain(3, 1);
    topology.links[1].rate = Gbps(1);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow flow(wan, 0, 2, Gbps(1), jumbo, Seconds(0), NanoSeconds(1));
    Simulator::Run();
    // 5 us + 20 ms + 20 ms + 5 us; 9000 bytes at 100 Gbit/s three times (0.72 us) and at 1 Gbit/s
    // (72 us).
    EXPECT_EQ(flow.FirstArrival().GetNanoSeconds(), 40010000 + 3 * 720 + 72000);
    EXPECT_EQ(wan.RoundTripTime(0, 2), NanoSeconds(2 * 40010000));
}

TEST_F(WanBuilderTest, DelayInsideASiteIsTheInnerDelay)
{
    const BuiltWan wan = WanBuilder(Chain(1, 2)).Build();
    UdpFlow flow(wan, 0, 1, Gbps(1), 1500, Seconds(0), NanoSeconds(1));
    Simulator::Run();
    EXPECT_EQ(flow.FirstArrival().GetNanoSeconds(), 10000 + 2 * 120);
}

// For the rates below, one packet more or less in the 100 ms span is 0.72 Mbit/s, and a class may
// be ahead by one quantum.
constexpr double packetGbps = 2 * jumbo * 8e-8;

TEST_F(WanBuilderTest, PairCapIsReachedAndNotExceeded)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.caps.nodePair = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow flow(wan, 0, 1, Gbps(8), jumbo, Seconds(0), stop);
    Simulator::Run();
    EXPECT_NEAR(flow.ReceivedGbps(from, to), 5, packetGbps);
}

TEST_F(WanBuilderTest, PairCapQueueHoldsOneBandwidthDelayProduct)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.caps.nodePair = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow flow(wan, 0, 1, Gbps(50), jumbo, Seconds(0), MilliSeconds(20));
    Simulator::Stop(MilliSeconds(19));
    Simulator::Run();
    // 5 Gbit/s x 40.02 ms = 25,012,500 bytes; the last packet may not fit.
    EXPECT_NEAR(static_cast<double>(wan.NicOf(0)->GetCounters().queuedBytes), 25012500, jumbo);
}

TEST_F(WanBuilderTest, EgressCapIsSharedFairlyByDestinations)
{
    geotrain::WanTopology topology = Chain(2, 2);
    topology.caps.nodeEgress = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow a(wan, 0, 2, Gbps(4), jumbo, Seconds(0), stop);
    UdpFlow b(wan, 0, 3, Gbps(6), 1500, Seconds(0), stop);
    Simulator::Run();
    EXPECT_NEAR(a.ReceivedGbps(from, to), 2.5, packetGbps);
    EXPECT_NEAR(b.ReceivedGbps(from, to), 2.5, packetGbps);
}

TEST_F(WanBuilderTest, IngressCapIsSharedFairlyBySources)
{
    geotrain::WanTopology topology = Chain(2, 2);
    topology.caps.nodeIngress = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow a(wan, 0, 2, Gbps(4), jumbo, Seconds(0), stop);
    UdpFlow b(wan, 1, 2, Gbps(6), 1500, Seconds(0), stop);
    Simulator::Run();
    EXPECT_NEAR(a.ReceivedGbps(from, to), 2.5, packetGbps);
    EXPECT_NEAR(b.ReceivedGbps(from, to), 2.5, packetGbps);
    EXPECT_GT(wan.PortTo(2)->GetCounters().drops, 0u);
}

TEST_F(WanBuilderTest, CapsLeaveTrafficInsideASiteAlone)
{
    geotrain::WanTopology topology = Chain(2, 2);
    topology.caps.nodePair = Gbps(1);
    topology.caps.nodeEgress = Gbps(1);
    topology.caps.nodeIngress = Gbps(1);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow flow(wan, 0, 1, Gbps(40), jumbo, Seconds(0), stop);
    Simulator::Run();
    EXPECT_NEAR(flow.ReceivedGbps(from, MilliSeconds(140)), 40, packetGbps);
    EXPECT_EQ(flow.Received(), flow.Sent());
}

TEST_F(WanBuilderTest, IntraRateHoldsWhatANodeSendsAndReceivesInsideASite)
{
    geotrain::WanTopology topology = Chain(1, 4);
    topology.sites[0].intraRate = Gbps(10);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow sends(wan, 0, 1, Gbps(16), jumbo, Seconds(0), stop);
    UdpFlow receivesA(wan, 1, 3, Gbps(9), jumbo, Seconds(0), stop);
    UdpFlow receivesB(wan, 2, 3, Gbps(9), jumbo, Seconds(0), stop);
    Simulator::Run();
    const Time end = MilliSeconds(140);
    EXPECT_NEAR(sends.ReceivedGbps(from, end), 10, packetGbps);
    EXPECT_NEAR(
        receivesA.ReceivedGbps(from, end) + receivesB.ReceivedGbps(from, end), 10, packetGbps);
}

TEST_F(WanBuilderTest, SharedWanLinkLimitsTheSumOfAllPairs)
{
    geotrain::WanTopology topology = Chain(2, 2);
    topology.links[0].rate = Gbps(6);
    topology.caps.nodePair = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow a(wan, 0, 2, Gbps(5), jumbo, Seconds(0), stop);
    UdpFlow b(wan, 1, 3, Gbps(5), jumbo, Seconds(0), stop);
    Simulator::Run();
    EXPECT_NEAR(a.ReceivedGbps(from, to) + b.ReceivedGbps(from, to), 6, packetGbps);
}

TEST_F(WanBuilderTest, DirectionsOfALinkDoNotShare)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links[0].rate = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow there(wan, 0, 1, Gbps(5), jumbo, Seconds(0), stop);
    UdpFlow back(wan, 1, 0, Gbps(5), jumbo, Seconds(0), stop);
    Simulator::Run();
    EXPECT_EQ(there.Received(), there.Sent());
    EXPECT_EQ(back.Received(), back.Sent());
}

TEST_F(WanBuilderTest, PolicerDropsWhatExceedsTheCap)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.caps.nodePair = Gbps(5);
    topology.caps.police = true;
    topology.caps.policerBurst = Bytes::Of(90000);
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow flow(wan, 0, 1, Gbps(8), jumbo, Seconds(0), stop);
    Simulator::Run();
    EXPECT_NEAR(flow.ReceivedGbps(from, to), 5, packetGbps);
    EXPECT_EQ(wan.NicOf(0)->GetCounters().queuedBytes, 0);
    EXPECT_EQ(wan.NicOf(0)->GetCounters().drops, flow.Sent() - flow.Received());
}

TEST_F(WanBuilderTest, PacketsAreConservedWithLossesAndFullQueues)
{
    geotrain::WanTopology topology = Chain(3, 2);
    topology.links[0].lossRate = 0.01;
    topology.links[0].rate = Gbps(7);
    topology.caps.nodePair = Gbps(5);
    topology.caps.nodeIngress = Gbps(4);
    topology.caps.queue = {geotrain::WanQueueSize::Unit::Packets, 50};
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow a(wan, 0, 4, Gbps(6), jumbo, Seconds(0), stop);
    UdpFlow b(wan, 1, 4, Gbps(6), 1500, Seconds(0), stop);
    Simulator::Run();
    std::uint64_t drops = 0;
    for (const BuiltWan::Link& link : wan.Links())
    {
        const WanLinkCounters counters = wan.CountersOf(link);
        EXPECT_EQ(counters.queuedBytes, 0) << link.name;
        drops += counters.drops;
    }
    EXPECT_GT(drops, 0u);
    EXPECT_EQ(a.Sent() + b.Sent(), a.Received() + b.Received() + drops);
    EXPECT_EQ(wan.TotalsOf(BuiltWan::LinkClass::Wan).drops +
                  wan.TotalsOf(BuiltWan::LinkClass::IntraDc).drops,
              drops);
}

TEST_F(WanBuilderTest, LocalBytesCountAPacketOnItsFirstWanLinkOnly)
{
    const BuiltWan wan = WanBuilder(Chain(3, 1)).Build();
    UdpFlow far(wan, 0, 2, Gbps(1), jumbo, Seconds(0), MilliSeconds(10));
    UdpFlow near(wan, 1, 2, Gbps(1), 1500, Seconds(0), MilliSeconds(10));
    Simulator::Run();
    const BuiltWan::Totals totals = wan.TotalsOf(BuiltWan::LinkClass::Wan);
    const auto sent = static_cast<std::int64_t>(far.Sent() * jumbo + near.Sent() * 1500);
    EXPECT_EQ(totals.localBytes, sent);
    EXPECT_EQ(totals.bytes, sent + static_cast<std::int64_t>(far.Sent() * jumbo));
    EXPECT_EQ(totals.packets, 2 * far.Sent() + near.Sent());
}

TEST_F(WanBuilderTest, LossesArriveAtTheGivenRateAndAreCounted)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links[0].lossRate = 0.1;
    const BuiltWan wan = WanBuilder(topology).Build();
    UdpFlow flow(wan, 0, 1, Gbps(10), 1500, Seconds(0), MilliSeconds(12));
    Simulator::Run();
    EXPECT_EQ(flow.Sent(), 10000u);
    // Binomial: 5 sqrt(n p (1 - p)) = 150.
    EXPECT_NEAR(static_cast<double>(flow.Received()), 9000, 150);
}

TEST_F(WanBuilderTest, LinksAreNamedAndParallelOnesNumbered)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links.push_back(topology.links[0]);
    std::swap(topology.links[1].from, topology.links[1].to);
    const BuiltWan wan = WanBuilder(topology).Build();
    std::vector<std::string> names;
    for (const BuiltWan::Link& link : wan.Links())
    {
        names.push_back(link.name);
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"dc-0 -> dc-1",
                                        "dc-1 -> dc-0",
                                        "dc-1 -> dc-0 #2",
                                        "dc-0 -> dc-1 #2",
                                        "node 0 -> dc-0",
                                        "dc-0 -> node 0",
                                        "node 1 -> dc-1",
                                        "dc-1 -> node 1"}));
}

TEST_F(WanBuilderTest, RefusesAnImpossibleTopology)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links.clear();
    EXPECT_THROW(WanBuilder(topology, "x"), geotrain::ConfigError);
}

TEST_F(WanBuilderTest, CarriesTcp)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.caps.nodePair = Gbps(5);
    const BuiltWan wan = WanBuilder(topology).Build();
    const Ptr<Socket> listener = Socket::CreateSocket(wan.NodeAt(1), TcpSocketFactory::GetTypeId());
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000));
    listener->Listen();
    std::uint64_t received = 0;
    listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                Callback<void, Ptr<Socket>, const Address&>(
                                    [&received](Ptr<Socket> accepted, const Address&)
                                    {
                                        accepted->SetRecvCallback(Callback<void, Ptr<Socket>>(
                                            [&received](Ptr<Socket> socket)
                                            {
                                                while (const Ptr<Packet> packet = socket->Recv())
                                                {
                                                    received += packet->GetSize();
                                                }
                                            }));
                                    }));
    const Ptr<Socket> sender = Socket::CreateSocket(wan.NodeAt(0), TcpSocketFactory::GetTypeId());
    sender->Bind();
    sender->Connect(InetSocketAddress(wan.AddressOf(1), 5000));
    sender->Send(Create<Packet>(100000));
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    EXPECT_EQ(received, 100000u);
}

} // namespace
} // namespace ns3
