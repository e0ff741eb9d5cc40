// SPDX-License-Identifier: GPL-2.0-only
// Checks times against delay + S / r, with r by max-min fairness. The tolerance is 10 ns per
// transfer, since ends are rounded up to whole nanoseconds.

#include "two-data-centres.h"

#include "analytic/max-min-fairness.h"
#include "execution/message-layer.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace geotrain
{
namespace
{

constexpr double tolerance = 1e-8;
constexpr double aMoment = 2e-3; // that bursts of a millisecond and growing windows leave open

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

// Not even a byte's nanosecond: closed forms of schedules are checked to the nanosecond over such a network.
TEST(AnalyticNetwork, AMessageThatNothingLimitsTakesTheDelayAlone)
{
    AnalyticTopology topology;
    topology.pathOf = [](NodeIndex, NodeIndex)
    {
        AnalyticPath path;
        path.delay = Duration::Milliseconds(20);
        return path;
    };
    AnalyticNetwork network(topology);
    HeardEvents heard;
    network.Transfer({0, 1, 0, Bytes::Of(1)}, heard.Listener());
    network.GetClock().Run(Instant::Never());
    EXPECT_EQ(heard.at[TransferEvent::Kind::Delivered], Instant() + Duration::Milliseconds(20));
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

/// Returns TwoDataCentres with connections of 1.5 MB over 40 ms: 300 Mbit/s each, where the cap is
/// 5 Gbit/s. The first message over a connection waits for the handshake, 40 ms.
AnalyticTopology
WithWindows(Bytes initialWindow = {})
{
    AnalyticTopology topology = TwoDataCentres().Topology();
    topology.pathOf =
        [inner = topology.pathOf, initialWindow](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path = inner(source, destination);
        path.window = Bytes::Of(1500000);
        path.segment = Bytes::Of(1000);
        path.initialWindow = initialWindow;
        return path;
    };
    return topology;
}

/// Returns the seconds of a message that is sent after a second without messages.
double
SecondsOf(AnalyticNetwork& network, std::int64_t bytes)
{
    HeardEvents heard;
    const Instant start = network.GetClock().Now() + Duration::Seconds(1);
    network.GetClock().Schedule(start,
                                [&] {
                                    network.Transfer({0, 4, 0, Bytes::Of(bytes)}, heard.Listener());
                                });
    network.GetClock().Run(Instant::Never());
    return heard.DeliveredSeconds() - (start - Instant()).ToSeconds();
}

TEST(AnalyticNetwork, AWindowLimitsAConnectionToOneARoundTrip)
{
    AnalyticNetwork network(WithWindows());
    // Ten windows: nine round trips, and the last window at the pace of slow start, two windows of
    // 3 MB per round trip.
    EXPECT_NEAR(SecondsOf(network, 15000000), 0.040 + 9 * 0.040 + 0.010 + 0.020, aMoment);
}

TEST(AnalyticNetwork, AMessageOfAWindowIsNotLimitedByIt)
{
    AnalyticNetwork network(WithWindows());
    EXPECT_NEAR(SecondsOf(network, 1500000), 0.040 + 0.0024 + 0.020, tolerance);
}

TEST(AnalyticNetwork, AWindowJustUsedMakesTheNextMessageWait)
{
    AnalyticNetwork network(WithWindows());
    HeardEvents first;
    HeardEvents second;
    network.Transfer({0, 4, 0, Bytes::Of(1500000)}, first.Listener());
    network.Transfer({0, 4, 0, Bytes::Of(1500000)}, second.Listener());
    network.GetClock().Run(Instant::Never());
    // The first window is acknowledged after a round trip, and the second is paced as above.
    EXPECT_NEAR(second.DeliveredSeconds(), 0.040 + 0.040 + 0.010 + 0.020, aMoment);
}

TEST(AnalyticNetwork, AColdConnectionDoublesItsWindowEveryRoundTrip)
{
    AnalyticNetwork network(WithWindows(Bytes::Of(100000)));
    // 100 + 200 + 400 kB in three round trips, and 300 kB at two windows of 500 kB per round trip.
    EXPECT_NEAR(SecondsOf(network, 1000000), 0.040 + 3 * 0.040 + 0.012 + 0.020, aMoment);
    // Then its window is 100 + 1,000 kB, which goes at twice its size per round trip.
    EXPECT_NEAR(SecondsOf(network, 1000000), 0.040 / 2.2 + 0.020, aMoment);
}

/// Returns a network whose nodes 0 to 2 send to nodes 4 to 6 over one link of 8 Gbit/s, a byte per
/// nanosecond, with open windows and one connection each.
AnalyticTopology
OverOneLink(const std::vector<int>& ranks)
{
    AnalyticTopology topology = TwoDataCentres().Topology();
    const std::size_t link = topology.linkRates.size();
    topology.linkRates.push_back(BitRate::GigabitsPerSecond(8));
    topology.ranks = ranks;
    topology.pathOf = [link](NodeIndex, NodeIndex)
    {
        AnalyticPath path;
        path.window = Bytes::Of(400000000);
        path.segment = Bytes::Of(1000);
        path.delay = Duration::Milliseconds(20);
        path.roundTrip = path.delay * 2;
        path.hops = {{link, Duration()}};
        path.crossesWan = true;
        return path;
    };
    return topology;
}

TEST(AnalyticNetwork, OwnersOfUnlikeRankShareALinkOneAfterTheOther)
{
    AnalyticNetwork network(OverOneLink({0, 2, 1}));
    std::vector<HeardEvents> heard(3);
    for (std::uint32_t owner = 0; owner < 3; ++owner)
    {
        TransferRequest request{owner, 4 + owner, 0, Bytes::Of(100000000)};
        request.owner = owner;
        network.Transfer(request, heard[owner].Listener());
    }
    network.GetClock().Run(Instant::Never());
    // 40 ms for the handshake and 20 ms on the way; 100 MB take 0.1 s, for which those below wait.
    EXPECT_NEAR(heard[1].DeliveredSeconds(), 0.16, tolerance);
    EXPECT_NEAR(heard[2].DeliveredSeconds(), 0.26, tolerance);
    EXPECT_NEAR(heard[0].DeliveredSeconds(), 0.36, tolerance);
}

TEST(AnalyticNetwork, WindowsHoldWholeSegments)
{
    AnalyticTopology topology = WithWindows();
    topology.pathOf = [inner = topology.pathOf](NodeIndex source, NodeIndex destination)
    {
        AnalyticPath path = inner(source, destination);
        path.segment = Bytes::Of(400000);
        return path;
    };
    AnalyticNetwork network(topology);
    // 1.2 MB of 1.5 MB go at once and the fourth segment when the first (3.2 Mbit) is acknowledged;
    // 0.4 MB at 5 Gbit/s.
    EXPECT_NEAR(SecondsOf(network, 1600000), 0.040 + 0.00064 + 0.040 + 0.00064 + 0.020, tolerance);
}

TEST(AnalyticNetwork, WarmingOpensTheWindowsByWhatItCarries)
{
    AnalyticNetwork network(WithWindows(Bytes::Of(100000)));
    const std::uint32_t connections = network.ConnectionsBetween(0, 4);
    network.Prepare({{0, 4, Bytes::Of(900000 * std::int64_t{connections})}});
    EXPECT_EQ(network.GetClock().Now(), Instant());
    EXPECT_NEAR(SecondsOf(network, 1000000), 0.040 / 2 + 0.020, aMoment);
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

/// RandomPaths are ten pairs of nodes 2i to 2i + 1, each over one to three of six links.
struct RandomPaths
{
    std::vector<BitRate> rates;
    std::vector<std::vector<std::size_t>> links;
    std::vector<double> bytes;

    explicit RandomPaths(std::uint64_t seed)
    {
        RandomStream random(seed, "test", "random-paths");
        for (int link = 0; link < 6; ++link)
        {
            rates.push_back(BitRate::BitsPerSecond(
                1000000000 * (1 + static_cast<std::int64_t>(20 * random.Uniform()))));
        }
        for (int pair = 0; pair < 10; ++pair)
        {
            std::set<std::size_t> of;
            for (int draw = 0; draw < 3; ++draw)
            {
                of.insert(static_cast<std::size_t>(6 * random.Uniform()));
            }
            links.emplace_back(of.begin(), of.end());
            bytes.push_back(1e6 + std::floor(50e6 * random.Uniform()));
        }
    }

    AnalyticTopology Topology() const
    {
        AnalyticTopology topology;
        topology.linkRates = rates;
        topology.pathOf = [paths = links](NodeIndex source, NodeIndex)
        {
            AnalyticPath path;
            path.links = paths[source / 2];
            return path;
        };
        return topology;
    }

    /// Returns when each transfer ends, in seconds, if all begin at 0.
    std::vector<double> Ends() const
    {
        std::vector<double> capacities;
        for (const BitRate rate : rates)
        {
            capacities.push_back(static_cast<double>(rate.ToBitsPerSecond()) / 8);
        }
        std::vector<double> left = bytes;
        std::vector<double> ends(left.size(), 0);
        for (double now = 0;;)
        {
            std::vector<FlowGroup> flows;
            std::vector<std::size_t> active;
            for (std::size_t pair = 0; pair < left.size(); ++pair)
            {
                if (left[pair] > 0.5)
                {
                    active.push_back(pair);
                    flows.push_back({links[pair], 1, 0});
                }
            }
            if (active.empty())
            {
                return ends;
            }
            const auto shares = MaxMinFairRates(flows, capacities);
            double step = std::numeric_limits<double>::infinity();
            for (std::size_t flow = 0; flow < active.size(); ++flow)
            {
                step = std::min(step, left[active[flow]] / shares[flow]);
            }
            now += step;
            for (std::size_t flow = 0; flow < active.size(); ++flow)
            {
                left[active[flow]] -= step * shares[flow];
                ends[active[flow]] = now;
            }
        }
    }
};

TEST(AnalyticNetwork, SharesAreMaxMinFairWhicheverLinksAreShort)
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
    {
        const RandomPaths paths(seed);
        AnalyticNetwork network(paths.Topology());
        std::vector<HeardEvents> heard(paths.links.size());
        for (std::size_t pair = 0; pair < heard.size(); ++pair)
        {
            const auto source = static_cast<NodeIndex>(2 * pair);
            network.Transfer(
                {source, source + 1, 0, Bytes::Of(static_cast<std::int64_t>(paths.bytes[pair]))},
                heard[pair].Listener());
        }
        network.GetClock().Run(Instant::Never());
        const auto ends = paths.Ends();
        for (std::size_t pair = 0; pair < heard.size(); ++pair)
        {
            EXPECT_NEAR(heard[pair].DeliveredSeconds(), ends[pair], 10 * tolerance) << seed;
        }
    }
}

TEST(LeaveOutLooseWindow, LeavesOutAWindowThatAPathInsideADataCentreCannotFill)
{
    const std::vector<BitRate> rates{BitRate::BitsPerSecond(8000000000)};
    AnalyticPath path;
    path.links = {0};
    path.roundTrip = Duration::Milliseconds(1); // of a gigabyte a second: 1 MB
    const auto windowOf = [&](std::int64_t bytes, bool crossesWan)
    {
        path.window = Bytes::Of(bytes);
        path.crossesWan = crossesWan;
        LeaveOutLooseWindow(path, rates);
        return path.window.Count();
    };
    EXPECT_EQ(windowOf(1000000, false), 0);
    EXPECT_EQ(windowOf(999999, false), 999999);
    EXPECT_EQ(windowOf(1000000, true), 1000000);
}

TEST(MessageLayer, APartTakesAHundredthOfTheCrossingOrIsAChunk)
{
    AnalyticNetwork network(TwoDataCentres().Topology());
    MessageLayerSettings settings;
    settings.chunkSize = Bytes::Of(256000);
    const MessageLayer layer(network, settings);
    // 12.5 MB take 20 ms on the way and 20 ms at 5 Gbit/s; a hundredth at the NICs' 100 Gbit/s is 5
    // MB.
    EXPECT_NEAR(static_cast<double>(layer.PartSize(0, 1, 5, Bytes::Of(12500000)).Count()), 5e6, 1);
    AnalyticTopology topology;
    topology.pathOf = [](NodeIndex, NodeIndex) { return AnalyticPath(); };
    AnalyticNetwork instant(topology);
    EXPECT_EQ(MessageLayer(instant).PartSize(0, 1, 5, Bytes::Of(12500000)).Count(), 12500000);
    settings.chunkSize = Bytes::Of(8000000);
    EXPECT_EQ(MessageLayer(network, settings).PartSize(0, 1, 5, Bytes::Of(12500000)).Count(),
              8000000);
}

TEST(EventLoop, RandomEventsRunInTheOrderOfTimeAndScheduling)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        RandomStream random(seed, "test", "event-loop");
        EventLoop loop;
        std::vector<std::pair<std::int64_t, int>> ran;
        std::multimap<std::int64_t, int> waiting; // those of one key in the order of insertion
        std::vector<Clock::EventNumber> numbers;
        std::vector<std::multimap<std::int64_t, int>::iterator> places;
        std::set<int> gone;
        const auto schedule = [&](const auto& self) -> void
        {
            const std::int64_t at =
                loop.Now().ToNanoseconds() + static_cast<std::int64_t>(4 * random.Uniform());
            const int event = static_cast<int>(numbers.size());
            places.push_back(waiting.emplace(at, event));
            numbers.push_back(loop.Schedule(
                Instant::FromNanoseconds(at),
                [&, event]
                {
                    ASSERT_EQ(event, waiting.begin()->second);
                    ASSERT_EQ(loop.Now().ToNanoseconds(), waiting.begin()->first);
                    waiting.erase(waiting.begin());
                    gone.insert(event);
                    const int more =
                        numbers.size() < 2000 ? static_cast<int>(3 * random.Uniform()) : 0;
                    for (int next = 0; next < more; ++next)
                    {
                        self(self);
                    }
                }));
            const auto victim =
                static_cast<std::size_t>(random.Uniform() * static_cast<double>(numbers.size()));
            if (random.Uniform() < 0.2 && gone.insert(static_cast<int>(victim)).second)
            {
                waiting.erase(places[victim]);
                loop.Cancel(numbers[victim]);
            }
        };
        for (int first = 0; first < 200; ++first)
        {
            schedule(schedule);
        }
        loop.Run(Instant::Never());
        EXPECT_TRUE(waiting.empty());
        EXPECT_EQ(gone.size(), numbers.size());
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
