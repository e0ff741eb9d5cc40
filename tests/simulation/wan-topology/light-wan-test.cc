// SPDX-License-Identifier: GPL-2.0-only
// Sends packet records over light links without any protocol, and checks arrivals, routes, caps and
// counters against their formulas.
#include "wan-topology/helper/light-wan.h"

#include "udp-flow.h"
#include "units/config-error.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace
{

using geotrain::BitRate;
using geotrain::Duration;

constexpr std::uint16_t jumboMtu = 9000;

/// A RecordingHost keeps what comes to it.
class RecordingHost : public PacketElement
{
  public:
    void Receive(const PacketRecord& record) override
    {
        records.push_back(record);
        arrivalsNs.push_back(NowNs());
    }

    std::vector<PacketRecord> records;
    std::vector<std::int64_t> arrivalsNs;
};

class LightWanTest : public WanSimulation
{
  protected:
    void Build(const geotrain::WanTopology& topology)
    {
        hosts = std::vector<RecordingHost>(LightWan::HostCount(topology));
        std::vector<PacketElement*> elements;
        for (RecordingHost& host : hosts)
        {
            elements.push_back(&host);
        }
        wan = std::make_unique<LightWan>(topology, elements, "test");
    }

    /// Sends `count` packets of a connection at once.
    void Send(const FlowEnds& ends, int count = 1)
    {
        PacketRecord record{};
        record.flow = wan->AddFlow(ends);
        record.destination = ends.destination;
        record.wireSize = jumboMtu;
        for (int i = 0; i < count; ++i)
        {
            record.offset = static_cast<std::uint64_t>(i);
            wan->EntryFrom(ends.source).Receive(record);
        }
    }

    std::vector<RecordingHost> hosts;
    std::unique_ptr<LightWan> wan;
};

TEST_F(LightWanTest, DelayIsPropagationAndOneTransmissionALink)
{
    geotrain::WanTopology topology = Chain(3, 1);
    topology.links[1].rate = BitRate::GigabitsPerSecond(1);
    Build(topology);
    Send({0, 2});
    Simulator::Run();
    // 5 us + 20 ms + 20 ms + 5 us; 9000 bytes at 100 Gbit/s three times (0.72 us) and at 1 Gbit/s
    // (72 us).
    EXPECT_EQ(hosts[2].arrivalsNs, (std::vector<std::int64_t>{40010000 + 3 * 720 + 72000}));
}

TEST_F(LightWanTest, ARecordPassesLinksAndRoutersUnchanged)
{
    Build(Chain(3, 1));
    PacketRecord sent;
    std::memset(&sent, 0x5a, sizeof(sent)); // every byte, whatever field it belongs to
    sent.flow = wan->AddFlow({0, 2});
    sent.destination = 2;
    wan->EntryFrom(0).Receive(sent);
    Simulator::Run();
    ASSERT_EQ(hosts[2].records.size(), 1U);
    EXPECT_EQ(std::memcmp(&hosts[2].records[0], &sent, sizeof(sent)), 0);
}

TEST_F(LightWanTest, TrafficOfARouterPassesNoNicAndNoCap)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.caps.nodePair = BitRate::BitsPerSecond(1000000);
    topology.caps.nodeIngress = BitRate::BitsPerSecond(1000000);
    Build(topology);
    Send({wan->HostAtRouter(0), wan->HostAtRouter(1)});
    Simulator::Run();
    // 20 ms; 9000 bytes at 100 Gbit/s.
    EXPECT_EQ(hosts[wan->HostAtRouter(1)].arrivalsNs, (std::vector<std::int64_t>{20000000 + 720}));
    EXPECT_EQ(wan->TotalsOf(WanLinkClass::IntraDc).packets, 0U);
}

TEST_F(LightWanTest, APairsCapSpacesPacketsByTheirTime)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.caps.nodePair = BitRate::GigabitsPerSecond(1);
    Build(topology);
    Send({0, 1}, 5);
    Simulator::Run();
    std::vector<std::int64_t> sinceFirstNs;
    for (const std::int64_t arrivalNs : hosts[1].arrivalsNs)
    {
        sinceFirstNs.push_back(arrivalNs - hosts[1].arrivalsNs.front());
    }
    // 8 * 9000 bits take 72 us at 1 Gbit/s. The second packet leaves with the first, since a class
    // may be ahead by one quantum, and follows it by its 0.72 us at 100 Gbit/s.
    EXPECT_EQ(sinceFirstNs, (std::vector<std::int64_t>{0, 720, 72000, 144000, 216000}));
}

/// Returns two data centres of three nodes that send 100 Gbit/s over a link of 1 Gbit/s. Its classes have
/// the priorities 0, -1, 1, 2 and 7.
geotrain::WanTopology
RankedChain()
{
    geotrain::WanTopology topology = Chain(2, 3);
    topology.links[0].rate = BitRate::GigabitsPerSecond(1);
    topology.links[0].queue = {geotrain::WanQueueSize::Unit::Packets, 100};
    for (const int priority : {0, -1, 1, 2, 7})
    {
        topology.classes.emplace_back();
        topology.classes.back().priority = priority;
    }
    return topology;
}

TEST_F(LightWanTest, PacketsOfHigherRankWaitForThePacketOnTheWireAlone)
{
    Build(RankedChain());
    Send({0, 3, 1}, 50);
    Send({1, 4, 0}, 50);
    Simulator::Schedule(MilliSeconds(1), [this] { Send({2, 5, 4}, 20); });
    Simulator::Run();
    // 20 packets of 72 us at 1 Gbit/s, the first behind one that is being sent; 0.72 us on two links of
    // 100 Gbit/s, and 20.01 ms.
    const auto& first = hosts[5].arrivalsNs;
    ASSERT_EQ(first.size(), 20U);
    const std::int64_t alone = 1000000 + 20010000 + 2 * 720 + 20 * 72000;
    EXPECT_GE(first.back(), alone);
    EXPECT_LE(first.back(), alone + 72000);
    // Nothing of rank -1 comes before the last of rank 0, but for what went before these came.
    EXPECT_EQ(std::count_if(hosts[3].arrivalsNs.begin(),
                            hosts[3].arrivalsNs.end(),
                            [this](std::int64_t at) { return at < hosts[4].arrivalsNs.back(); }),
              1);
    // The link never rested: 120 packets.
    EXPECT_EQ(hosts[3].arrivalsNs.back() - hosts[3].arrivalsNs.front(), 119 * 72000);
    EXPECT_EQ(wan->CountersAt(0).packets, 120U);
    EXPECT_EQ(wan->CountersAt(0).drops, 0U);
}

TEST_F(LightWanTest, AFullQueueOfOneRankDropsNothingOfAnother)
{
    Build(RankedChain());
    Send({0, 3, 0}, 500); // come in 0.36 ms, while 5 are sent: 100 wait and one is on the wire
    Send({1, 4, 2}, 100);
    Simulator::Run();
    EXPECT_EQ(hosts[4].records.size(), 100U);
    EXPECT_NEAR(static_cast<double>(hosts[3].records.size()), 101 + 1, 1);
    EXPECT_EQ(hosts[3].records.size() + wan->CountersAt(0).drops, 500U);
    EXPECT_EQ(wan->CountersAt(0).queuedBytes, 0);
}

TEST_F(LightWanTest, ClassesOfOnePriorityShareALinkByWeight)
{
    geotrain::WanTopology topology = RankedChain();
    for (auto& one : topology.classes)
    {
        one.priority = 0;
    }
    topology.classes[1].weight = 3;
    Build(topology);
    Send({0, 3, 0}, 90);
    Send({1, 4, 1}, 90);
    Simulator::Run();
    // While both wait, three of the second go for one of the first: when its 90 are there, 30 are. The
    // packets that came before the other's differ by those of 0.065 ms, and one turn is in progress.
    const std::int64_t at = hosts[4].arrivalsNs.back();
    const auto before = std::count_if(hosts[3].arrivalsNs.begin(),
                                      hosts[3].arrivalsNs.end(),
                                      [at](std::int64_t arrival) { return arrival < at; });
    EXPECT_NEAR(static_cast<double>(before), 30, 2);
}

TEST_F(LightWanTest, QueuesThatStandBeforeALinkCountAndArePoliced)
{
    geotrain::WanTopology topology = RankedChain();
    topology.classes.clear();
    topology.links[0].fqCoDel = geotrain::FqCoDelSettings();
    topology.links[0].policer = geotrain::PolicerSettings{BitRate::GigabitsPerSecond(1),
                                                          geotrain::Bytes::Of(50 * jumboMtu)};
    Build(topology);
    Send({0, 3}, 200);
    Send({1, 4}, 3);
    Simulator::Run();
    // The bucket takes 50 packets of 203, and those of the 0.14 ms in which they come.
    const auto passed = hosts[3].records.size() + hosts[4].records.size();
    EXPECT_NEAR(static_cast<double>(passed), 50 + 2, 1);
    EXPECT_EQ(passed + wan->CountersAt(0).drops, 203U);
    EXPECT_EQ(wan->CountersAt(0).queuedBytes, 0);
    // Each waits for those before it: 72 us x n (n - 1) / 2, all from about the same time.
    const double waits = 72e3 * 52 * 51 / 2;
    EXPECT_NEAR(static_cast<double>(wan->CountersAt(0).queueingNs), waits, 0.1 * waits);
}

TEST_F(LightWanTest, ACapOfANodeServesByRank)
{
    geotrain::WanTopology topology = RankedChain();
    topology.caps.nodeEgress = BitRate::BitsPerSecond(500000000);
    Build(topology);
    Send({0, 3, 0}, 50);
    Send({0, 4, 2}, 20);
    Send({0, 3, 3}, 20); // of the same pair as rank 0
    Simulator::Run();
    // A packet takes 144 us. What is first passes at once, one more since a cap may be ahead by one.
    const std::int64_t lastOfRank2 = hosts[3].arrivalsNs[21];
    EXPECT_LT(lastOfRank2, hosts[4].arrivalsNs.front());
    EXPECT_EQ(hosts[4].arrivalsNs.back() - lastOfRank2, 20 * 144000);
}

TEST_F(LightWanTest, TheFirstWanLinkAloneCountsAPacketAsLocal)
{
    Build(Chain(3, 1));
    Send({0, 2}, 3);
    Send({wan->HostAtRouter(0), wan->HostAtRouter(2)}, 4); // no node has sent these
    Simulator::Run();
    EXPECT_EQ(wan->LinkAt(0).name, "dc-0 -> dc-1");
    EXPECT_EQ(wan->CountersAt(0).packets, 7U);
    EXPECT_EQ(wan->CountersAt(0).localBytes, 3 * jumboMtu);
    EXPECT_EQ(wan->LinkAt(2).name, "dc-1 -> dc-2");
    EXPECT_EQ(wan->CountersAt(2).packets, 7U);
    EXPECT_EQ(wan->CountersAt(2).localBytes, 0);
}

TEST_F(LightWanTest, LinksHaveTheNamesClassesAndRatesOfTheDevices)
{
    const geotrain::WanTopology topology = Chain(3, 2);
    Build(topology);
    const BuiltWan devices = WanBuilder(topology).Build();
    ASSERT_EQ(wan->LinkCount(), devices.LinkCount());
    for (std::size_t i = 0; i < wan->LinkCount(); ++i)
    {
        EXPECT_EQ(wan->LinkAt(i).name, devices.LinkAt(i).name);
        EXPECT_EQ(wan->LinkAt(i).linkClass, devices.LinkAt(i).linkClass);
        EXPECT_EQ(wan->LinkAt(i).rate, devices.LinkAt(i).rate);
    }
}

TEST_F(LightWanTest, MarksAndDuplicatesAsItsLinkModelSays)
{
    LinkModel::Settings settings;
    settings.rate = BitRate::GigabitsPerSecond(1);
    settings.delay = Duration::Milliseconds(1);
    settings.name = "link";
    settings.duplication = 0.5;
    settings.red = geotrain::RedSettings{};
    settings.red->minThreshold = geotrain::WanQueueSize::OfBytes(geotrain::Bytes::Of(jumboMtu));
    settings.red->maxThreshold =
        geotrain::WanQueueSize::OfBytes(geotrain::Bytes::Of(1000 * jumboMtu));
    settings.red->maxProbability = 1;
    settings.red->weight = 1; // the average is what waits
    RecordingHost host;
    LightLink link(settings, host);
    PacketRecord record{};
    record.wireSize = jumboMtu;
    record.flags = PacketRecord::EctCapable;
    for (int i = 0; i < 500; ++i)
    {
        link.Receive(record);
    }
    Simulator::Run();
    const LinkModel::Counters& counters = link.Model().GetCounters();
    EXPECT_GT(counters.duplicatedPackets, 0U);
    EXPECT_GT(counters.markedPackets, 0U);
    EXPECT_EQ(host.records.size(), counters.acceptedPackets + counters.duplicatedPackets);
    EXPECT_TRUE(std::is_sorted(host.arrivalsNs.begin(), host.arrivalsNs.end()));
    EXPECT_GE(std::count_if(host.records.begin(),
                            host.records.end(),
                            [](const PacketRecord& arrived)
                            { return arrived.flags & PacketRecord::CongestionExperienced; }),
              static_cast<std::ptrdiff_t>(counters.markedPackets));
}

TEST_F(LightWanTest, ParallelLinksShareConnectionsAndAnOutageLeavesThemToTheOthers)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links.push_back(topology.links[0]);
    topology.links[1].outages = {{Duration::Seconds(1), Duration::Seconds(2), false}};
    Build(topology);
    wan->BeginSchedules();
    const auto sendMany = [this]
    {
        for (int connection = 0; connection < 40; ++connection)
        {
            Send({0, 1}, 2);
        }
    };
    sendMany();
    Simulator::Schedule(Seconds(1.5), sendMany);
    Simulator::Stop(Seconds(1.4));
    Simulator::Run();
    // Each connection's two packets take one link. Of 40, 20 on either are expected; 10 are three
    // deviations of a binomial away.
    const std::uint64_t onSecond = wan->CountersAt(2).packets;
    EXPECT_EQ(onSecond % 2, 0U);
    EXPECT_NEAR(static_cast<double>(onSecond), 40, 20);
    EXPECT_EQ(wan->CountersAt(0).packets + onSecond, 80U);
    Simulator::Run();
    EXPECT_EQ(wan->CountersAt(2).packets, onSecond);
    EXPECT_EQ(wan->CountersAt(0).packets, 160 - onSecond);
    EXPECT_EQ(hosts[1].records.size(), 160U);
}

/// Three sites in a triangle whose link 0 - 2 is number 2.
geotrain::WanTopology
Triangle()
{
    geotrain::WanTopology topology = Chain(3, 1);
    topology.links.push_back(topology.links[0]);
    topology.links[2].to = 2;
    return topology;
}

TEST_F(LightWanTest, ConnectionsTakeTheirRoutesThereAndBack)
{
    geotrain::WanTopology topology = Triangle();
    topology.routes = {{0, 2, {}, 1}, {0, 2, {1}, 1}};
    Build(topology);
    for (int connection = 0; connection < 40; ++connection)
    {
        Send({0, 2}, 2);
    }
    Simulator::Run();
    // Each connection's two packets take one way: of 40, 20 on either are expected, and 10 are three
    // deviations of a binomial.
    const std::uint64_t direct = wan->CountersAt(4).packets;
    EXPECT_EQ(direct % 2, 0U);
    EXPECT_NEAR(static_cast<double>(direct), 40, 20);
    EXPECT_EQ(wan->CountersAt(0).packets, 80 - direct);
    EXPECT_EQ(wan->CountersAt(2).packets, 80 - direct);
    // An acknowledgement of each goes back the same way.
    for (FlowNumber flow = 0; flow < 40; ++flow)
    {
        PacketRecord record{};
        record.flow = flow;
        record.destination = 0;
        record.wireSize = jumboMtu;
        wan->EntryFrom(2).Receive(record);
    }
    Simulator::Run();
    EXPECT_EQ(wan->CountersAt(5).packets, direct / 2);
    EXPECT_EQ(wan->CountersAt(1).packets, 40 - direct / 2);
    EXPECT_EQ(hosts[2].records.size(), 80U);
    EXPECT_EQ(hosts[0].records.size(), 40U);
}

TEST_F(LightWanTest, RoutersSendAroundAnOutageOnceTheyKnowOfIt)
{
    geotrain::WanTopology topology = Triangle();
    topology.links[2].outages = {{Duration::Seconds(1), Duration::Seconds(3), false},
                                 {Duration::Seconds(10), Duration::Milliseconds(10400), false}};
    topology.rerouteAfter = Duration::Milliseconds(500);
    Build(topology);
    wan->BeginSchedules();
    const FlowEnds ends{0, 2};
    // Before, in the outage before and after the routers know, and after its end likewise; the second
    // outage ends before they know.
    for (const double seconds : {0.5, 1.2, 1.8, 3.2, 3.8, 10.2, 10.45, 10.7})
    {
        Simulator::Schedule(Seconds(seconds), [this, ends] { Send(ends); });
    }
    Simulator::Run();
    EXPECT_EQ(wan->CountersAt(4).lost, 2U);    // at 1.2 and 10.2 s
    EXPECT_EQ(wan->CountersAt(0).packets, 2U); // at 1.8 and 3.2 s
    EXPECT_EQ(hosts[2].records.size(), 6U);
}

TEST_F(LightWanTest, ARouteThatIsOutLeavesItsConnectionsToTheOthers)
{
    geotrain::WanTopology topology = Triangle();
    topology.routes = {{0, 2, {}, 1}, {0, 2, {1}, 1}};
    topology.links[0].outages = {{Duration::Seconds(1), Duration::Seconds(3), false}};
    topology.rerouteAfter = Duration::Milliseconds(100);
    Build(topology);
    wan->BeginSchedules();
    Simulator::Schedule(Seconds(2),
                        [this]
                        {
                            for (int connection = 0; connection < 40; ++connection)
                            {
                                Send({0, 2});
                            }
                        });
    Simulator::Run();
    EXPECT_EQ(wan->CountersAt(4).packets, 40U);
    EXPECT_EQ(hosts[2].records.size(), 40U);
}

TEST_F(LightWanTest, EachDirectionHasItsRateDelayAndQueue)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links[0].rateBack = BitRate::GigabitsPerSecond(1);
    topology.links[0].delayBack = Duration::Milliseconds(50);
    Build(topology);
    Send({0, 1});
    Send({1, 0});
    Simulator::Run();
    // As above: 9000 bytes take 0.72 us at 100 Gbit/s and 72 us at 1 Gbit/s.
    EXPECT_EQ(hosts[1].arrivalsNs, (std::vector<std::int64_t>{20010000 + 3 * 720}));
    EXPECT_EQ(hosts[0].arrivalsNs, (std::vector<std::int64_t>{50010000 + 2 * 720 + 72000}));
    EXPECT_EQ(wan->LinkAt(0).rate, BitRate::GigabitsPerSecond(100));
    EXPECT_EQ(wan->LinkAt(1).rate, BitRate::GigabitsPerSecond(1));
}

TEST_F(LightWanTest, RefusesATopologyThatIsNotValid)
{
    geotrain::WanTopology topology = Chain(2, 1);
    topology.links[0].rate = BitRate();
    EXPECT_THROW(Build(topology), geotrain::ConfigError);
}

TEST_F(LightWanTest, EndsWhereAPacketNamesNoHost)
{
    Build(Chain(2, 1));
    EXPECT_DEATH(
        {
            Send({0, 99});
            Simulator::Run();
        },
        "no path to node 99");
}

} // namespace
} // namespace ns3
