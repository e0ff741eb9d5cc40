// SPDX-License-Identifier: GPL-2.0-only
// Tests what each bearer has and refuses, and what all of them do alike.
#include "training-network/helper/bearer-kinds.h"

#include "network-fixture.h"
#include "units/config-error.h"

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
