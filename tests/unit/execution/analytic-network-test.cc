// Expected times: delay + S / r, with r by max-min fairness. Tolerance 10 ns a transfer: ends are rounded up
// to whole nanoseconds.

#include "two-data-centres.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

constexpr double tolerance = 1e-8;

TEST(AnalyticNetwork, AMessageTakesDelayAndSerialisation)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    HeardEvents heard;
    network.Transfer({0, 4, 0, Bytes::Of(25000000)}, heard.Listener());
    network.GetClock().Run(Instant::Never());
    // 25 MB x 8 / 5 Gbit/s = 40 ms, and 20 ms on the way.
    EXPECT_NEAR(heard.DeliveredSeconds(), 0.060, tolerance);
    EXPECT_NEAR(heard.at[TransferEvent::Kind::Sent].ToSeconds(), 0.040, tolerance);
    EXPECT_NEAR(heard.at[TransferEvent::Kind::FirstByte].ToSeconds(), 0.020, tolerance);
    EXPECT_EQ(network.Counters().wanPayload.Count(), 25000000);
    EXPECT_EQ(network.Counters().intraDcPayload.Count(), 0);
}

TEST(AnalyticNetwork, TransfersOfOneConnectionFollowEachOther)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    HeardEvents first;
    HeardEvents second;
    network.Transfer({0, 4, 0, Bytes::Of(25000000)}, first.Listener());
    network.Transfer({0, 4, 0, Bytes::Of(25000000)}, second.Listener());
    network.GetClock().Run(Instant::Never());
    EXPECT_NEAR(first.DeliveredSeconds(), 0.060, tolerance);
    EXPECT_NEAR(second.DeliveredSeconds(), 0.100, tolerance);
}

TEST(AnalyticNetwork, TwoDestinationsShareTheNodesEgress)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    HeardEvents longer;
    HeardEvents shorter;
    network.Transfer({0, 4, 0, Bytes::Of(50000000)}, longer.Listener());
    network.Transfer({0, 5, 0, Bytes::Of(25000000)}, shorter.Listener());
    network.GetClock().Run(Instant::Never());
    // Both at 2.5 Gbit/s until the shorter has gone at 80 ms; the rest, 25 MB, at 5 Gbit/s.
    EXPECT_NEAR(shorter.DeliveredSeconds(), 0.080 + 0.020, tolerance);
    EXPECT_NEAR(longer.DeliveredSeconds(), 0.120 + 0.020, tolerance);
}

TEST(AnalyticNetwork, AWindowLimitsAConnectionToWindowOverRoundTrip)
{
    AnalyticTopology topology = TwoDataCentres().Topology();
    topology.pathOf = [inner = topology.pathOf](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path = inner(source, destination);
        path.window = Bytes::Of(1500000);
        return path;
    };
    AnalyticNetwork network(topology);
    HeardEvents heard;
    network.Transfer({0, 4, 0, Bytes::Of(15000000)}, heard.Listener());
    network.GetClock().Run(Instant::Never());
    // 1.5 MB / 40 ms = 300 Mbit/s: ten windows take ten round trips.
    EXPECT_NEAR(heard.DeliveredSeconds(), 10 * 0.040 + 0.020, tolerance);
}

TEST(AnalyticNetwork, HeadersTakeTheirShareOfTheRate)
{
    AnalyticTopology topology = TwoDataCentres().Topology();
    topology.payloadShare = 0.8;
    AnalyticNetwork network(topology);
    HeardEvents heard;
    network.Transfer({0, 4, 0, Bytes::Of(25000000)}, heard.Listener());
    network.GetClock().Run(Instant::Never());
    EXPECT_NEAR(heard.DeliveredSeconds(), 0.050 + 0.020, tolerance);
    EXPECT_EQ(network.Counters().wanWireBytes.Count(), 31250000);
}

TEST(AnalyticNetwork, ACancelledTransferIsHeardOfNoMore)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    HeardEvents heard;
    const auto number = network.Transfer({0, 4, 0, Bytes::Of(25000000)}, heard.Listener());
    network.GetClock().Schedule(Instant::FromNanoseconds(1000000), [&] { network.Cancel(number); });
    network.GetClock().Run(Instant::Never());
    EXPECT_TRUE(heard.at.empty());
}

TEST(AnalyticNetwork, DoublingABandwidthNeverDelaysAMessage)
{
    for (const std::int64_t gigabits : {1, 2, 5, 10, 40})
    {
        const auto last = [](std::int64_t cap)
        {
            TwoDataCentres two;
            two.pairCap = two.nodeCap = BitRate::GigabitsPerSecond(cap);
            AnalyticNetwork network(two.Topology());
            std::vector<HeardEvents> heard(6);
            double latest = 0;
            for (std::uint32_t flow = 0; flow < heard.size(); ++flow)
            {
                network.Transfer(
                    {flow % 3, 4 + flow % 4, flow % 2, Bytes::Of(1000000 * (flow + 1))},
                    heard[flow].Listener());
            }
            network.GetClock().Run(Instant::Never());
            for (const auto& events : heard)
            {
                latest = std::max(latest, events.DeliveredSeconds());
            }
            return latest;
        };
        EXPECT_LE(last(2 * gigabits), last(gigabits));
    }
}

TEST(EventLoop, EventsOfOneInstantRunInTheOrderOfScheduling)
{
    EventLoop loop;
    std::vector<int> order;
    loop.Schedule(Instant::FromNanoseconds(5), [&] { order.push_back(2); });
    loop.Schedule(Instant::FromNanoseconds(5), [&] { order.push_back(3); });
    const auto cancelled = loop.Schedule(Instant::FromNanoseconds(4), [&] { order.push_back(9); });
    loop.Schedule(Instant::FromNanoseconds(3), [&] { order.push_back(1); });
    loop.Cancel(cancelled);
    loop.Run(Instant::Never());
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(loop.Now().ToNanoseconds(), 5);
}

TEST(EventLoop, StopsAtItsDeadline)
{
    EventLoop loop;
    bool ran = false;
    loop.Schedule(Instant::FromNanoseconds(6), [&] { ran = true; });
    loop.Run(Instant::FromNanoseconds(5));
    EXPECT_FALSE(ran);
    loop.Run(Instant::FromNanoseconds(6));
    EXPECT_TRUE(ran);
}

TEST(EventLoop, RefusesThePast)
{
    EventLoop loop;
    loop.Schedule(Instant::FromNanoseconds(6),
                  [&] {
                      EXPECT_THROW(loop.Schedule(Instant::FromNanoseconds(5), [] {}),
                                   std::invalid_argument);
                  });
    loop.Run(Instant::Never());
}

} // namespace
} // namespace geotrain
