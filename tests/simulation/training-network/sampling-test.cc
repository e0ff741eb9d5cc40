// SPDX-License-Identifier: GPL-2.0-only
// Flow and link samples are taken every interval while bytes are outstanding, and only then.
#include "network-fixture.h"

namespace ns3
{
namespace
{

using geotrain::Bytes;

class SamplingTest : public NetworkTest
{
  protected:
    void Watch()
    {
        network->TraceConnectWithoutContext("FlowSample",
                                            MakeCallback(&SamplingTest::OnFlow, this));
        network->TraceConnectWithoutContext("LinkSample",
                                            MakeCallback(&SamplingTest::OnLink, this));
    }

    void OnFlow(const FlowSample& sample)
    {
        flows.push_back(sample);
    }

    void OnLink(const LinkSample& sample)
    {
        links.push_back(sample);
    }

    std::vector<FlowSample> flows;
    std::vector<LinkSample> links;
};

TEST_F(SamplingTest, SamplesCoverTheTransferAndEndWithIt)
{
    counts = {2, 1};
    Install(TwoSites{}.Build());
    network->Prepare({{0, 1, Bytes::Of(12000000)}});
    Watch();
    Send(15000000, 1);
    Run();
    ASSERT_FALSE(flows.empty());
    for (const auto& flow : flows)
    {
        EXPECT_EQ(flow.connection, 1u);
        EXPECT_LE(flow.inFlight.Count(), 1500000);
        EXPECT_LE(flow.congestionWindow.Count(), 2 * 1500000);
        EXPECT_EQ(flow.at.ToNanoseconds() % 10000000, 0);
    }
    // In the middle the window is full. ns-3's estimate counts whole milliseconds.
    const auto& middle = flows[flows.size() / 2];
    EXPECT_NEAR(static_cast<double>(middle.inFlight.Count()), 1500000, 2 * SEGMENT);
    EXPECT_NEAR(middle.roundTripTime.ToSeconds(), 0.040, 0.001);
    const auto after = (links.back().at - delivered.at(0).at).ToSeconds();
    EXPECT_LT(after, 0.020 + 0.040 + 0.010) << "way back, delayed acknowledgement, an interval";
}

TEST_F(SamplingTest, LinkSamplesAddUpToTheWire)
{
    Install(TwoSites{}.Build());
    network->Prepare({{0, 1, Bytes::Of(6000000)}});
    Watch();
    Send(10000000);
    Run();
    std::int64_t wire = 0;
    for (const auto& link : links)
    {
        if (link.link->linkClass == WanLinkClass::Wan)
        {
            wire += link.sentBytes;
            const double bits = static_cast<double>(link.sentBytes) * 8;
            // 10 Gbit/s link
            EXPECT_DOUBLE_EQ(link.utilization, bits / (10e9 * link.interval.ToSeconds()));
        }
    }
    EXPECT_EQ(wire, network->Counters().wanWireBytes.Count());
}

TEST_F(SamplingTest, NothingIsSampledBetweenTransfers)
{
    Install(TwoSites{}.Build());
    network->Prepare({{0, 1, Bytes::Of(1000)}});
    Watch();
    Send(1000);
    network->GetClock().Schedule(AtSeconds(100), [this] { Send(1000); });
    Run();
    ASSERT_EQ(delivered.size(), 2u);
    for (const auto& link : links)
    {
        const double at = link.at.ToSeconds();
        EXPECT_TRUE(at < 0.2 || at >= 100) << at;
    }
}

TEST_F(SamplingTest, WatchingChangesNothing)
{
    std::vector<geotrain::Instant> times;
    for (const bool watched : {false, true})
    {
        TwoSites sites;
        sites.lossRate = 1e-3;
        Install(sites.Build());
        if (watched)
        {
            Watch();
        }
        Send(10000000);
        Run();
        times.push_back(delivered.back().at);
        Reset();
    }
    EXPECT_EQ(times[0], times[1]);
}

} // namespace
} // namespace ns3
