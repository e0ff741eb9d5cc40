// SPDX-License-Identifier: GPL-2.0-only
// Sends bursts over light links as one record and as single packets, and compares what comes, and when.
#include "wan-topology/helper/light-wan.h"

#include "udp-flow.h"

#include <algorithm>
#include <random>
#include <tuple>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;

constexpr std::uint32_t burstSegment = 1448;

/// An Coming is a packet's place in the stream and the time when it comes.
using Coming = std::tuple<FlowNumber, std::uint64_t, std::int64_t>;

double
NsOf(const Coming& coming)
{
    return static_cast<double>(std::get<2>(coming));
}

/// A PacketLog keeps the packets that come to it, also those of bursts.
class PacketLog : public PacketElement
{
  public:
    void Receive(const PacketRecord& record) override
    {
        ++records;
        for (std::uint32_t i = 0; i < record.Packets(); ++i)
        {
            arrivals.emplace_back(record.flow, record.Part(i, 1).offset, NowNs() + record.LagNs(i));
        }
    }

    int records = 0;
    std::vector<Coming> arrivals;
};

/// A Sending is a burst that a node gives to its NIC.
struct Sending
{
    std::int64_t atNs;
    std::uint32_t source;
    std::uint32_t packets;
};

/// What came, with the drops on the way.
struct Came
{
    std::vector<Coming> arrivals;
    std::uint64_t drops = 0;
    std::uint64_t packets = 0; ///< on links
    int records = 0;
};

/// Sends from the nodes of site 0 to the first node of site 1, each burst as one record or not.
Came
Send(const geotrain::WanTopology& topology, const std::vector<Sending>& sendings, bool whole)
{
    std::vector<PacketLog> hosts(LightWan::HostCount(topology));
    std::vector<PacketElement*> elements;
    for (PacketLog& host : hosts)
    {
        elements.push_back(&host);
    }
    UseHeapSimulator();
    LightWan wan(topology, elements, "test");
    EXPECT_TRUE(wan.TakesBursts());
    const std::uint32_t to = topology.sites[0].nodes;
    std::vector<FlowNumber> flows;
    std::vector<std::uint64_t> sent(to);
    for (std::uint32_t node = 0; node < to; ++node)
    {
        flows.push_back(wan.AddFlow({node, to}));
    }
    for (const Sending& sending : sendings)
    {
        PacketRecord burst{};
        burst.kind = PacketRecord::Kind::Data;
        burst.flow = flows[sending.source];
        burst.destination = to;
        burst.offset = sent[sending.source];
        burst.length = sending.packets * burstSegment;
        burst.wireSize = burstSegment + 52;
        burst.followers = static_cast<std::uint8_t>(sending.packets - 1);
        sent[sending.source] += burst.length;
        Simulator::Schedule(
            NanoSeconds(static_cast<std::uint64_t>(sending.atNs)),
            [&wan, burst, sending, whole]
            {
                for (std::uint32_t i = 0; i < (whole ? 1 : sending.packets); ++i)
                {
                    wan.EntryFrom(sending.source).Receive(whole ? burst : burst.Part(i, 1));
                }
            });
    }
    Simulator::Run();
    Came came;
    for (const WanLinkClass each : {WanLinkClass::Wan, WanLinkClass::IntraDc})
    {
        came.drops += wan.TotalsOf(each).drops;
        came.packets += wan.TotalsOf(each).packets;
    }
    Simulator::Destroy();
    came.arrivals = hosts[to].arrivals;
    came.records = hosts[to].records;
    return came;
}

class LightBurstsTest : public WanSimulation
{
  protected:
    /// Returns `count` bursts of 1 to 45 packets, at times that fill `span` evenly in the mean.
    std::vector<Sending> Draw(int count, std::uint32_t sources, std::int64_t spanNs)
    {
        std::vector<Sending> sendings;
        for (int i = 0; i < count; ++i)
        {
            sendings.push_back(
                {std::uniform_int_distribution<std::int64_t>(0, spanNs)(m_random),
                 std::uniform_int_distribution<std::uint32_t>(0, sources - 1)(m_random),
                 std::uniform_int_distribution<std::uint32_t>(1, 45)(m_random)});
        }
        std::sort(sendings.begin(),
                  sendings.end(),
                  [](const Sending& a, const Sending& b) { return a.atNs < b.atNs; });
        return sendings;
    }

    std::mt19937_64 m_random{7};
};

/// On a way that one flow has for itself, each packet comes when it came by itself. A nanosecond is lost
/// on each of three links where the gaps inside a burst are cut to whole ones.
TEST_F(LightBurstsTest, ALoneFlowsPacketsComeWhenTheyCameAlone)
{
    for (const double gigabits : {0.05, 1.0, 9.0, 40.0, 100.0})
    {
        geotrain::WanTopology topology = Chain(2, 1);
        topology.links[0].rate = BitRate::BitsPerSecond(static_cast<std::int64_t>(gigabits * 1e9));
        topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(200000));
        const auto spanNs = static_cast<std::int64_t>(200 * 23 * 12000 / gigabits);
        const std::vector<Sending> sendings = Draw(200, 1, spanNs);
        const Came whole = Send(topology, sendings, true);
        const Came single = Send(topology, sendings, false);
        EXPECT_EQ(whole.drops, single.drops) << gigabits;
        EXPECT_EQ(whole.packets, single.packets) << gigabits;
        ASSERT_EQ(whole.arrivals.size(), single.arrivals.size()) << gigabits;
        for (std::size_t i = 0; i < whole.arrivals.size(); ++i)
        {
            EXPECT_EQ(std::get<1>(whole.arrivals[i]), std::get<1>(single.arrivals[i])) << i;
            EXPECT_NEAR(NsOf(whole.arrivals[i]), NsOf(single.arrivals[i]), 45 * 3) << gigabits;
        }
    }
}

/// Of flows that meet, a burst is sent in a row. So a packet may come as much later as the other bursts
/// take that come meanwhile, here up to 8 of 5.4 us; but the link sends as much in the same time.
TEST_F(LightBurstsTest, FlowsThatMeetShareALinkAsTheirPacketsWould)
{
    geotrain::WanTopology topology = Chain(2, 8);
    topology.links[0].rate = BitRate::GigabitsPerSecond(100);
    const std::vector<Sending> sendings = Draw(2000, 8, 2000 * 23 * 120);
    Came whole = Send(topology, sendings, true);
    Came single = Send(topology, sendings, false);
    EXPECT_LT(whole.records, single.records / 10);
    ASSERT_EQ(whole.arrivals.size(), single.arrivals.size());
    std::sort(whole.arrivals.begin(), whole.arrivals.end());
    std::sort(single.arrivals.begin(), single.arrivals.end());
    double sum = 0;
    for (std::size_t i = 0; i < whole.arrivals.size(); ++i)
    {
        const double late = NsOf(whole.arrivals[i]) - NsOf(single.arrivals[i]);
        EXPECT_LT(std::abs(late), 8.0 * 45 * 120);
        sum += late;
    }
    EXPECT_NEAR(sum / static_cast<double>(whole.arrivals.size()), 0, 1000);
}

/// A cap lets packets go one by one, whether it gets them so or as a burst. One that is so slow that a
/// burst takes more than LightLink::s_mostSpreadNs gives single packets on.
TEST_F(LightBurstsTest, ACapSpacesThePacketsOfABurst)
{
    for (const std::int64_t gigabits : {1, 25, 100000}) // the last one is the fastest that a scenario may have
    {
        geotrain::WanTopology topology = Chain(2, 1);
        topology.caps.nodePair = BitRate::GigabitsPerSecond(gigabits);
        const std::vector<Sending> sendings = Draw(200, 1, 200 * 23 * 12000 / gigabits);
        const Came whole = Send(topology, sendings, true);
        const Came single = Send(topology, sendings, false);
        EXPECT_EQ(10 * whole.records < single.records, gigabits >= 25) << gigabits;
        ASSERT_EQ(whole.arrivals.size(), single.arrivals.size());
        for (std::size_t i = 0; i < whole.arrivals.size(); ++i)
        {
            EXPECT_EQ(std::get<1>(whole.arrivals[i]), std::get<1>(single.arrivals[i]));
            // A cap that was idle is ahead by a packet, of which a burst's even gaps know nothing.
            EXPECT_NEAR(NsOf(whole.arrivals[i]),
                        NsOf(single.arrivals[i]),
                        1.0 * 9000 * 8 / static_cast<double>(gigabits))
                << i;
        }
    }
}

/// What leaves a cap as a burst takes its room there until each packet has left. A burst is up to 68 kB, and
/// the queue 100 kB: without that a tenth of the drops are missing. 2 %: a cap that was idle is
/// ahead by a packet.
TEST_F(LightBurstsTest, ACapDropsAsManyPacketsOfBursts)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.mtu = Bytes::Of(1500);
    topology.caps.nodePair = BitRate::GigabitsPerSecond(5);
    topology.caps.queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(100000));
    constexpr std::int64_t packetNs = 2400; // 12,000 bits at 5 Gbit/s
    const std::vector<Sending> sendings = Draw(2000, 1, 2000 * 23 * packetNs);
    const Came whole = Send(topology, sendings, true);
    const Came single = Send(topology, sendings, false);
    EXPECT_LT(whole.records, single.records / 2);
    EXPECT_GT(single.drops, 1000U);
    EXPECT_NEAR(static_cast<double>(whole.drops),
                static_cast<double>(single.drops),
                0.02 * static_cast<double>(single.drops));
}

TEST_F(LightBurstsTest, LinksThatDoMoreTakeSinglePackets)
{
    const auto takes = [](const geotrain::WanTopology& topology)
    {
        std::vector<PacketLog> hosts(LightWan::HostCount(topology));
        std::vector<PacketElement*> elements;
        for (PacketLog& host : hosts)
        {
            elements.push_back(&host);
        }
        LightWan wan(topology, elements, "test");
        const bool before = wan.TakesBursts();
        wan.ObservePackets(0, [](const PassedPacket&) {});
        EXPECT_FALSE(wan.TakesBursts());
        return before;
    };
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links[0].lossRate = 0.01;
    topology.caps.nodePair = BitRate::GigabitsPerSecond(5);
    EXPECT_TRUE(takes(topology));
    topology.links[0].queue = geotrain::WanQueueSize::OfBytes(Bytes::Of(65535));
    EXPECT_FALSE(takes(topology));
    topology.links[0].queue = {geotrain::WanQueueSize::Unit::Packets, 44};
    EXPECT_FALSE(takes(topology));
    topology.links[0].queue = {geotrain::WanQueueSize::Unit::Packets, 45};
    EXPECT_TRUE(takes(topology));
    topology.links[0].duplication = 0.01;
    EXPECT_FALSE(takes(topology));
    topology.links[0].duplication = 0;
    topology.caps.police = true;
    EXPECT_FALSE(takes(topology));
}

} // namespace
} // namespace ns3
