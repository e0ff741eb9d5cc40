// SPDX-License-Identifier: GPL-2.0-only
// With a queue disc of ns-3 on a WAN link, packets wait and are dropped or marked there, and not in
// the device.
#include "udp-flow.h"

#include "units/config-error.h"

#include <ns3/red-queue-disc.h>
#include <ns3/traffic-control-layer.h>

namespace ns3
{
namespace
{

using geotrain::BitRate;

class QueueDiscTest : public WanSimulation
{
  protected:
    static geotrain::WanTopology Bottleneck(const std::string& queueDisc)
    {
        geotrain::WanTopology topology = Chain(2, 1);
        topology.links[0].rate = BitRate::GigabitsPerSecond(1);
        topology.links[0].queueDisc = queueDisc;
        topology.links[0].queue = {geotrain::WanQueueSize::Unit::Packets, 100};
        return topology;
    }
};

TEST_F(QueueDiscTest, FifoKeepsItsLimitAndTheLinkBusy)
{
    const BuiltWan wan = WanBuilder(Bottleneck("ns3::FifoQueueDisc")).Build();
    UdpFlow flow(wan, 0, 1, BitRate::GigabitsPerSecond(2), 9000, Seconds(0), MilliSeconds(100));
    const BuiltWan::Link& link = wan.Links()[0];
    std::int64_t queued = 0;
    Simulator::Schedule(MilliSeconds(90), [&] { queued = wan.CountersOf(link).queuedBytes; });
    Simulator::Run();
    // 100 packets in the disc and up to two in the device.
    EXPECT_NEAR(static_cast<double>(queued), 101 * 9000, 9000);
    EXPECT_EQ(link.device->GetLink().GetCounters().queueDrops, 0u);
    EXPECT_EQ(wan.CountersOf(link).drops, flow.Sent() - flow.Received());
    // 1 Gbit/s in the 50 ms from 40 ms on, to a packet (1.44 Mbit/s).
    EXPECT_NEAR(flow.ReceivedGbps(MilliSeconds(40), MilliSeconds(90)), 1, 0.0015);
}

TEST_F(QueueDiscTest, TheWaitInADiscIsCounted)
{
    const BuiltWan wan = WanBuilder(Bottleneck("ns3::FifoQueueDisc")).Build();
    const UdpFlow flow(
        wan, 0, 1, BitRate::GigabitsPerSecond(2), 9000, Seconds(0), MilliSeconds(100));
    WanLinkCounters full;
    Simulator::Schedule(MilliSeconds(40), [&] { full = wan.CountersOf(wan.Links()[0]); });
    WanLinkCounters end;
    Simulator::Schedule(MilliSeconds(90), [&] { end = wan.CountersOf(wan.Links()[0]); });
    Simulator::Run();
    // A packet finds 100 packets in the disc and one or two in the device, of 72 us each.
    const auto packets = static_cast<double>(end.packets - full.packets);
    const double waitNs = static_cast<double>(end.queueingNs - full.queueingNs) / packets;
    EXPECT_NEAR(waitNs, 101 * 72000, 72000);
}

TEST_F(QueueDiscTest, RedDropsBeforeItsQueueIsFull)
{
    const BuiltWan wan = WanBuilder(Bottleneck("ns3::RedQueueDisc")).Build();
    UdpFlow flow(wan, 0, 1, BitRate::GigabitsPerSecond(2), 9000, Seconds(0), MilliSeconds(100));
    Simulator::Run();
    const Ptr<QueueDisc> red = wan.Links()[0].queueDisc;
    ASSERT_TRUE(red);
    EXPECT_GT(red->GetStats().GetNDroppedPackets(RedQueueDisc::UNFORCED_DROP), 0u);
    EXPECT_EQ(wan.CountersOf(wan.Links()[0]).drops, flow.Sent() - flow.Received());
}

TEST_F(QueueDiscTest, RandomDropsAreTheSameInEveryRun)
{
    std::vector<std::uint64_t> received;
    for (int run = 0; run < 2; ++run)
    {
        const BuiltWan wan = WanBuilder(Bottleneck("ns3::RedQueueDisc")).Build();
        UdpFlow flow(wan, 0, 1, BitRate::GigabitsPerSecond(2), 9000, Seconds(0), MilliSeconds(100));
        Simulator::Run();
        received.push_back(flow.Received());
        Simulator::Destroy();
    }
    EXPECT_EQ(received[0], received[1]);
}

TEST_F(QueueDiscTest, EveryCommonDiscCanBeNamed)
{
    for (const char* name : {"ns3::FqCoDelQueueDisc",
                             "ns3::CoDelQueueDisc",
                             "ns3::PieQueueDisc",
                             "ns3::CobaltQueueDisc",
                             "ns3::PfifoFastQueueDisc"})
    {
        const BuiltWan wan = WanBuilder(Bottleneck(name)).Build();
        UdpFlow flow(wan, 0, 1, BitRate::GigabitsPerSecond(2), 9000, Seconds(0), MilliSeconds(50));
        Simulator::Stop(MilliSeconds(200)); // PIE's timer never ends
        Simulator::Run();
        EXPECT_EQ(wan.CountersOf(wan.Links()[0]).drops, flow.Sent() - flow.Received()) << name;
        Simulator::Destroy();
    }
}

TEST_F(QueueDiscTest, LinksWithoutANameHaveNone)
{
    const BuiltWan wan = WanBuilder(Chain(2, 1)).Build();
    for (const BuiltWan::Link& link : wan.Links())
    {
        EXPECT_FALSE(link.queueDisc);
        EXPECT_FALSE(
            link.device->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
                link.device));
    }
}

TEST_F(QueueDiscTest, UnknownNamesAreRefused)
{
    for (const char* name : {"ns3::NoSuchQueueDisc", "FqCoDel", "ns3::Node", "ns3::QueueDisc"})
    {
        try
        {
            WanBuilder builder(Bottleneck(name), "x.textproto");
            FAIL() << name << " was accepted";
        }
        catch (const geotrain::ConfigError& error)
        {
            EXPECT_EQ(std::string(error.what()),
                      std::string("x.textproto: wan_link[0].queue_disc: \"") + name +
                          "\" is not a queue disc of ns-3, such as ns3::FqCoDelQueueDisc");
        }
    }
}

} // namespace
} // namespace ns3
