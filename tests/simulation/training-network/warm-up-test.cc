// SPDX-License-Identifier: GPL-2.0-only
// After Prepare(), connections are open and their windows wide when the clock reads 0, and no byte
// of the warm-up is counted.
#include "network-fixture.h"

#include <stdexcept>

namespace ns3
{
namespace
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::WarmUpOrder;

std::vector<std::size_t>
TakeAll(WarmUpOrder& order)
{
    std::vector<std::size_t> taken;
    for (auto pair = order.TakeNext(); pair < order.Count(); pair = order.TakeNext())
    {
        taken.push_back(pair);
    }
    return taken;
}

TEST(WarmUpOrderTest, PairsThatShareANodeGoOneAfterAnother)
{
    const auto size = Bytes::Of(1);
    WarmUpOrder order({{0, 1, size}, {1, 0, size}, {2, 3, size}, {1, 2, size}, {4, 5, size}});
    EXPECT_EQ(TakeAll(order), (std::vector<std::size_t>{0, 2, 4}));
    order.End(2);
    EXPECT_TRUE(TakeAll(order).empty()) << "node 1 is busy";
    order.End(0);
    EXPECT_EQ(TakeAll(order), (std::vector<std::size_t>{1}));
    order.End(1);
    EXPECT_EQ(TakeAll(order), (std::vector<std::size_t>{3}));
    order.End(3);
    EXPECT_FALSE(order.AllEnded());
    order.End(4);
    EXPECT_TRUE(order.AllEnded());
}

class WarmUpTest : public NetworkTest
{
};

TEST_F(WarmUpTest, ClockAndCountersReadZeroAfterPrepare)
{
    counts = {3, 1};
    Install(TwoSites{}.Build());
    network->Prepare({{0, 1, Bytes::Of(20000000)}, {1, 0, Bytes::Of(2)}});
    EXPECT_EQ(network->GetClock().Now(), geotrain::Instant());
    const auto counters = network->Counters();
    EXPECT_EQ(counters.wanPayload.Count(), 0);
    EXPECT_EQ(counters.wanWireBytes.Count(), 0);
    EXPECT_EQ(counters.retransmittedBytes.Count(), 0);
    EXPECT_EQ(counters.wanPackets, 0u);
    EXPECT_EQ(counters.intraDcPackets, 0u);
    EXPECT_EQ(counters.droppedPackets, 0u);
}

TEST_F(WarmUpTest, PrepareOfNothingIsAllowed)
{
    Install(TwoSites{}.Build());
    network->Prepare({});
    EXPECT_EQ(network->GetClock().Now(), geotrain::Instant());
}

class WarmMessageTest : public NetworkTest
{
  protected:
    static constexpr std::int64_t SIZE = 4000000; // bytes, below the window

    double SecondsOfOneMessage(bool warm)
    {
        TwoSites sites;
        sites.rate = geotrain::BitRate::GigabitsPerSecond(1);
        transport.window = Bytes::Of(8000000);
        Install(sites.Build());
        network->Prepare({{0, 1, Bytes::Of(warm ? 64000000 : 1)}});
        Send(SIZE);
        Run();
        return delivered.at(0).at.ToSeconds();
    }
};

// time = one-way delay + payload / (rate x 8948/9000) + the last packet over the two NIC links (1.5
// us).
TEST_F(WarmMessageTest, MessageTakesDelayAndSerialisation)
{
    const double expected = 0.020 + SIZE * 8 / (1e9 * SEGMENT / 9000);
    EXPECT_NEAR(SecondsOfOneMessage(true) / expected, 1, 0.001);
}

// Slow start from 10 segments of 8,948 bytes takes 6 round trips to 4 MB: the check above can fail.
TEST_F(WarmMessageTest, ColdConnectionIsSlower)
{
    EXPECT_GT(SecondsOfOneMessage(false), 0.020 + 5 * 0.040);
}

// Each message crosses the first WAN link once in whole packets: bytes = payload + frame + 52 for
// each packet, and 52 for an acknowledgement of every second packet.
TEST_F(WarmUpTest, CountersHoldWhatWasCarriedSinceZero)
{
    Install(TwoSites{}.Build());
    network->Prepare({{0, 1, Bytes::Of(20000000)}});
    constexpr std::int64_t PACKETS = 100;
    Send(PACKETS * SEGMENT - FRAME);
    Run();
    const auto counters = network->Counters();
    EXPECT_EQ(counters.wanPayload.Count(), PACKETS * SEGMENT - FRAME);
    EXPECT_EQ(counters.wanWireBytes.Count(), PACKETS * 9000 + PACKETS / 2 * 52);
    EXPECT_EQ(counters.wanPackets, PACKETS + PACKETS / 2);
    EXPECT_EQ(counters.intraDcPackets, 2 * (PACKETS + PACKETS / 2));
    EXPECT_EQ(counters.intraDcPayload.Count(), 0);
}

TEST_F(WarmUpTest, FailureNamesThePair)
{
    TwoSites sites;
    sites.lossRate = 0.999999999;
    Install(sites.Build());
    try
    {
        network->Prepare({{0, 1, Bytes::Of(1000)}});
        FAIL() << "nothing was thrown";
    }
    catch (const std::runtime_error& error)
    {
        EXPECT_STREQ(error.what(), "from node 0 to node 1: the connection could not be opened");
    }
}

} // namespace
} // namespace ns3
