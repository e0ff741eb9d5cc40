// SPDX-License-Identifier: GPL-2.0-only
// Tests what each bearer has and refuses, and what all of them do alike.
#include "training-network/helper/bearer-kinds.h"

#include "network-fixture.h"
#include "ns3/ipv4-l3-protocol.h"
#include "units/config-error.h"

#include <map>

namespace ns3
{
namespace
{

TEST(BearerKinds, EachHasItsFeatures)
{
    struct Row
    {
        const char* name;
        bool queueDiscs;
        bool bulkTcp;
        bool rival;
        bool crossTraffic;
    };

    for (const Row& row : {Row{"express", false, true, true, true},
                           Row{"device", true, true, false, false},
                           Row{"stock", true, false, false, false}})
    {
        const BearerKind& kind = FindBearer(row.name);
        EXPECT_EQ(kind.Has(BearerFeature::Ns3Devices), row.queueDiscs) << row.name;
        EXPECT_EQ(kind.Has(BearerFeature::BulkTcp), row.bulkTcp) << row.name;
        EXPECT_EQ(kind.Has(BearerFeature::Rival), row.rival) << row.name;
        EXPECT_EQ(kind.Has(BearerFeature::CrossTraffic), row.crossTraffic) << row.name;
    }
    EXPECT_EQ(BearerKinds().size(), 3u);
}

TEST(BearerKinds, NameThoseThatHaveAFeature)
{
    EXPECT_EQ(BearersWith(BearerFeature::Ns3Devices), "DEVICE or STOCK");
    EXPECT_EQ(BearersWith(BearerFeature::BulkTcp), "EXPRESS or DEVICE");
    EXPECT_EQ(BearersWith(BearerFeature::CrossTraffic), "EXPRESS");
}

TEST(BearerKinds, SayWhichThereAre)
{
    try
    {
        FindBearer("pigeon");
        FAIL();
    }
    catch (const std::invalid_argument& error)
    {
        EXPECT_STREQ(error.what(), "must be express, device or stock");
    }
}

class EveryBearer : public NetworkTest, public testing::WithParamInterface<const char*>
{
};

TEST_P(EveryBearer, RefusesAQueueDiscUnlessItHasThem)
{
    geotrain::WanTopology topology = TwoSites().Build();
    topology.links[0].queueDisc = "ns3::FqCoDelQueueDisc";
    if (FindBearer(GetParam()).Has(BearerFeature::Ns3Devices))
    {
        EXPECT_NO_THROW(MakeBearer(GetParam(), topology, "a.textproto"));
        return;
    }
    try
    {
        MakeBearer(GetParam(), topology, "a.textproto");
        FAIL();
    }
    catch (const geotrain::ConfigError& error)
    {
        EXPECT_STREQ(error.what(),
                     "a.textproto: wan_link[0].queue_disc: \"ns3::FqCoDelQueueDisc\" is a queue "
                     "disc of ns-3, which the express bearer does not have: take transport.bearer "
                     "DEVICE or STOCK, or wan_link.red or codel");
    }
}

TEST_P(EveryBearer, SendsFilesOfOthersOrEndsTheProgram)
{
    const auto made = MakeBearer(GetParam(), TwoSites().Build());
    Bearer::SiteFile file;
    file.to = 1;
    file.bytes = 100000;
    file.congestionControl = "geotrain::TcpCubic";
    file.window = geotrain::Bytes::Of(1500000);
    if (!FindBearer(GetParam()).Has(BearerFeature::CrossTraffic))
    {
        EXPECT_DEATH(made->SendFile(file), "this bearer carries no cross traffic");
        return;
    }
    made->SendFile(file);
    Simulator::Run();
    EXPECT_GE(made->Links().CountersAt(0).sentBytes, 100000);
    EXPECT_EQ(made->Links().CountersAt(0).localBytes, 0) << "no node of the topology sent it";
}

/// Returns how many bytes of a file have left two milliseconds after its first acknowledgements, which
/// come after two round trips of 40.
std::int64_t
SentEarly(TcpPreset preset)
{
    const auto made = MakeBearer("express", TwoSites().Build());
    Bearer::SiteFile file;
    file.to = 1;
    file.bytes = 1000000;
    file.congestionControl = "geotrain::TcpCubic";
    file.window = geotrain::Bytes::Of(1500000);
    file.preset = preset;
    made->SendFile(file);
    Simulator::Stop(MilliSeconds(82));
    Simulator::Run();
    const std::int64_t sent = made->Links().CountersAt(0).sentBytes;
    Simulator::Destroy();
    return sent;
}

// Hosts of others are as the run's own. The first seven segments fill the window of a handshake, 64 kB.
// Behind their acknowledgements a host without pacing sends twice as many at once; one that paces takes
// half a round trip for them.
TEST(CrossTraffic, FilesHaveThePresetOfTheRun)
{
    const std::int64_t first = 7 * 9000;
    EXPECT_GT(SentEarly(TcpPreset::Linux), 2.9 * first);
    EXPECT_LT(SentEarly(TcpPreset::Rfc), 2 * first); // a pacer begins with a burst
}

// A warm message takes two round trips of 40 ms at most; the link is out in the first second of its
// schedule.
TEST_P(EveryBearer, SchedulesWaitForTheBeginning)
{
    geotrain::WanTopology topology = TwoSites().Build();
    topology.links[0].outages = {
        {geotrain::Duration::Seconds(0), geotrain::Duration::Seconds(1), true}};
    Install(GetParam(), topology);
    network->Prepare({{0, 1, geotrain::Bytes::Of(3000000)}});
    Send(1000000);
    Run();
    ASSERT_EQ(delivered.size(), 1u);
    EXPECT_LT(delivered[0].at, AtSeconds(0.5));

    const geotrain::Instant begin = network->GetClock().Now();
    bearer->Links().BeginSchedules();
    Send(1000000);
    Run();
    ASSERT_EQ(delivered.size(), 2u);
    EXPECT_GT(delivered[1].at, begin + geotrain::Duration::Seconds(1.02));
}

/// MarkedPackets counts packets of hosts by their mark.
struct MarkedPackets
{
    std::map<int, int> data; ///< packets with payload
    std::map<int, int> acks;

    void OnIpv4(Ptr<const Packet> packet, Ptr<Ipv4> /*ipv4*/, std::uint32_t /*interface*/)
    {
        Ipv4Header header;
        packet->PeekHeader(header);
        Add(header.GetTos() >> 2, header.GetPayloadSize());
    }

    void Add(int mark, std::int64_t size)
    {
        ++(size > 500 ? data : acks)[mark];
    }
};

// Both ways, whatever else: also the acknowledgements, and what opens a connection.
TEST_P(EveryBearer, PacketsHaveTheMarksOfTheirClasses)
{
    geotrain::WanTopology topology = TwoSites().Build();
    topology.classes.resize(2);
    topology.classes[1].dscp = 46;
    topology.classes[1].waitsIn = 0;
    transport.ecn = true; // shares IPv4's byte with the mark
    transport.tcp.preset = TcpPreset::Rfc; // an acknowledgement for every second segment
    Install(GetParam(), topology);
    network->SetClasses({0, 1});
    MarkedPackets packets;
    if (FindBearer(GetParam()).Has(BearerFeature::Ns3Devices))
    {
        Config::ConnectWithoutContext("/NodeList/*/$ns3::Ipv4L3Protocol/Tx",
                                      MakeCallback(&MarkedPackets::OnIpv4, &packets));
    }
    else
    {
        for (const std::size_t direction : {0, 1})
        {
            bearer->Links().ObservePackets(direction,
                                           [&packets](const PassedPacket& packet)
                                           { packets.Add(packet.dscp, packet.size.Count()); });
        }
    }
    const auto send = [this](geotrain::OwnerIndex owner)
    {
        geotrain::TransferRequest request{0, 1, 0, geotrain::Bytes::Of(100 * SEGMENT)};
        request.owner = owner;
        network->Transfer(request, [](const geotrain::TransferEvent&) {});
        Run();
    };
    send(1);
    EXPECT_EQ(packets.data.size(), 1u);
    EXPECT_EQ(packets.acks.size(), 1u);
    EXPECT_GE(packets.data[46], 100);
    EXPECT_GE(packets.acks[46], 50);
    packets = {};
    send(0);
    EXPECT_EQ(packets.data.size(), 1u);
    EXPECT_GE(packets.data[0], 100);
    EXPECT_GE(packets.acks[0], 50);
}

TEST_P(EveryBearer, SchedulesBeginOnce)
{
    const auto made = MakeBearer(GetParam(), TwoSites().Build());
    made->Links().BeginSchedules();
    EXPECT_DEATH(made->Links().BeginSchedules(), "begin once");
}

INSTANTIATE_TEST_SUITE_P(Bearers,
                         EveryBearer,
                         testing::Values("express", "device", "stock"),
                         [](const auto& name) { return std::string(name.param); });

} // namespace
} // namespace ns3
