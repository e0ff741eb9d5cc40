// SPDX-License-Identifier: GPL-2.0-only
// Tests the measurement of messages over the WAN against formulas.
#include "planner-fixture.h"

#include "planner/hop-probe.h"
#include "schedule/message-way.h"
#include "schedule/one-forward-one-backward.h"
#include "schedule/order-simulation.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

struct Probed
{
    TrainingJob job = SmallJob(4, 64);
    Cluster cluster = Chain({4, 4}, 1);
    TrainingPlan plan;
    StageTable table;

    Probed()
    {
        plan.pipelineStages = 2;
        plan.dataParallel = 4;
        plan.microbatches = 16;
        plan.hosts = {{0, 1}, {1, 1}};
        // 20 windows are the bandwidth-delay product of 25 MB, which the cap's queue holds when they
        // come at once.
        cluster.transport.connection.window = Bytes::Of(1250000);
        table = MakeStageTable(job, cluster, plan);
    }

    Hop Measure()
    {
        const ClusterWays ways(cluster);
        HopProbe probe(job, cluster, ways);
        return probe.Measured({Hop()}, plan, table).front();
    }

    /// Returns what a message of a pipeline alone occupies its node pair of 5 Gbit/s.
    double SecondsAlone() const
    {
        return 8.0 * static_cast<double>(table.boundary.Count()) / 5e9;
    }
};

/// The rest is segments that windows don't fill, and trains that come in bursts.
constexpr double tolerance = 0.05;

/// Returns the occupancy of a message over what it takes at the node pair's rate, where each
/// direction has windows of `products` bandwidth-delay products of 25 MB.
double
OccupancyWithWindows(double products)
{
    Probed probed;
    probed.cluster.wan.caps.queue.value = 8;
    probed.cluster.transport.connection.window =
        Bytes::Of(static_cast<std::int64_t>(products * 25e6 / 20));
    const Hop hop = probed.Measure();
    EXPECT_FALSE(hop.takesTurns);
    return hop.occupancy.ToSeconds() / probed.SecondsAlone();
}

// Both directions send a window W in W / R (R: the node pair's rate) and then wait for
// acknowledgements. These take the round trip T and wait behind what the other direction has in the
// queue, 0 to W / R. So a window takes between max(T, W / R) and T + W / R, and a message, in units
// of what it takes at R, between max(x, 1) and x + 1 with x = T R / W.
TEST(HopProbe, AnAcknowledgementWaitsBehindAtMostAWindowOfTheOtherDirection)
{
    for (const double products : {1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0})
    {
        const double occupancy = OccupancyWithWindows(products);
        EXPECT_GE(occupancy, (1 - tolerance) / products) << products;
        EXPECT_LE(occupancy, (1 + tolerance) * (1 / products + 1)) << products;
    }
}

// The queues stand when W > 2 T R, since then a window is sent for longer than acknowledgements take
// at most behind a window: the node pair is never idle.
TEST(HopProbe, WideWindowsKeepANodePairBusyInBothDirections)
{
    EXPECT_NEAR(OccupancyWithWindows(4), 1, tolerance);
}

TEST(HopProbe, AMessageTakesItsRateAndItsDelayOnceWindowsAreOpen)
{
    Probed probed;
    probed.cluster.wan.caps.queue.value = 8;
    probed.cluster.transport.connection.window = Bytes::Of(5000000);
    // 20 ms one way
    EXPECT_NEAR(
        probed.Measure().Total().ToSeconds() / (probed.SecondsAlone() + 0.02), 1, tolerance);
}

TEST(HopProbe, ATurnIsAsShortAsThereArePipelinesInTheCell)
{
    Probed probed;
    probed.plan.sharing = WanSharing::Temporal;
    probed.plan.cellSize = 4;
    const Hop hop = probed.Measure();
    EXPECT_TRUE(hop.takesTurns);
    EXPECT_NEAR(hop.occupancy.ToSeconds() / (probed.SecondsAlone() / 4), 1, 4 * tolerance);
}

// Four pipelines on nodes of their own send 4 x 5 Gbit/s, which a link of 20 Gbit/s carries as if each
// were alone. Half of that they share.
TEST(HopProbe, PipelinesThatFillNoLinkAreMeasuredAsOneAlone)
{
    const auto measured = [](std::uint32_t pipelines, std::int64_t gigabits)
    {
        Probed probed;
        probed.plan.dataParallel = pipelines;
        probed.plan.microbatches = 16;
        probed.cluster.wan.links.front().rate = BitRate::GigabitsPerSecond(gigabits);
        const Hop hop = probed.Measure();
        return std::make_pair(hop.delay, hop.occupancy);
    };
    EXPECT_EQ(measured(4, 20), measured(1, 20));
    EXPECT_GT(measured(4, 10).second, measured(1, 10).second);
}

TEST(HopProbe, WhatWasMeasuredAheadIsWhatAPlanAloneMeasures)
{
    const Probed probed;
    TrainingPlan one = probed.plan;
    one.dataParallel = 1;
    const ClusterWays ways(probed.cluster);
    HopProbe ahead(probed.job, probed.cluster, ways);
    ahead.Measure({{&one, &probed.table}, {&probed.plan, &probed.table}}, 2);
    const auto hop = ahead.Measured({Hop()}, probed.plan, probed.table).front();
    const auto own = Probed().Measure();
    EXPECT_EQ(hop.delay, own.delay);
    EXPECT_EQ(hop.occupancy, own.occupancy);
}

TEST(HopProbe, LeavesHopsInsideADataCenterAlone)
{
    Probed probed;
    probed.plan.hosts = {{0, 2}};
    probed.plan.dataParallel = 2;
    const ClusterWays ways(probed.cluster);
    HopProbe probe(probed.job, probed.cluster, ways);
    const Hop own{Duration::Milliseconds(7), Duration::Milliseconds(3)};
    const auto hops = probe.Measured({own}, probed.plan, probed.table);
    EXPECT_EQ(hops.front().delay, own.delay);
    EXPECT_EQ(hops.front().occupancy, own.occupancy);
}

// A worker in the middle of a pipeline sends an activation and a gradient per microbatch. Where its
// node sends no more than a node pair carries, it takes the time of both.
TEST(HopProbe, AWorkerInTheMiddleSendsToBothNeighboursAtItsNodesRate)
{
    Probed probed;
    EXPECT_LT(probed.Measure().nodeOccupancy * 10, probed.Measure().occupancy);
    probed.cluster.wan.caps.nodeEgress = BitRate::GigabitsPerSecond(5);
    const Hop hop = probed.Measure();
    // half of 8 x 33.6 MB / 5 Gbit/s where windows take twice as long as the rate, all of it otherwise
    EXPECT_NEAR(hop.nodeOccupancy.ToSeconds() / probed.SecondsAlone(), 1, tolerance);

    ScheduleRequest request;
    request.stages = 3;
    request.microbatches = 100;
    request.warmupFactor = 4;
    request.times.stages = {StageTiming()};
    const Duration occupancy = Duration::Milliseconds(10);
    for (const std::int64_t perMicrobatch : {1, 2})
    {
        Hop one{Duration(), occupancy};
        one.nodeOccupancy = perMicrobatch == 2 ? occupancy : Duration();
        request.times.hops = {one};
        const auto order = OneForwardOneBackward(request);
        const double seconds = SimulateOrder(order, request).Makespan().ToSeconds();
        // a message fewer or more for each of the three stages, there and back
        EXPECT_NEAR(seconds, 100 * 0.01 * static_cast<double>(perMicrobatch), 6 * 0.01);
    }
}

// Turns of a cell queue behind each other on the way that leads to the worker in the middle.
// What its node sends the other way takes no time to speak of, and doesn't wait for that queue: a
// nanosecond of a node leaves the makespan as it is, but for a turn that may come in another order.
TEST(HopProbe, AMessageThatQueuesForItsWayDoesNotOccupyItsNode)
{
    ScheduleRequest request;
    request.stages = 3;
    request.microbatches = 40;
    request.warmupFactor = 3;
    request.cellSize = 4;
    StageTiming timing;
    timing.forward = Duration::Milliseconds(10);
    timing.backwardInput = Duration::Milliseconds(20);
    request.times.stages = {timing};
    const auto makespan = [&request](Duration nodeOccupancy)
    {
        Hop hop{Duration::Milliseconds(20), Duration::Milliseconds(13)};
        hop.takesTurns = true;
        hop.nodeOccupancy = nodeOccupancy;
        request.times.hops = {hop};
        return SimulateOrder(OneForwardOneBackward(request), request).Makespan().ToSeconds();
    };
    EXPECT_NEAR(makespan(Duration::Nanoseconds(1)), makespan(Duration()), 0.013);
}

// Two windows of the bandwidth-delay product of 25 MB overrun a queue of half of it in a burst of
// four messages of 34 MB, but not where each message has left before the next one comes.
TEST(HopProbe, ABurstThatOverrunsAQueueLosesMoreThanMessagesFarApart)
{
    Probed probed;
    probed.plan.dataParallel = 1;
    probed.plan.microbatchSize = 2;
    probed.plan.microbatches = 4;
    probed.cluster.wan.caps.queue.value = 0.5;
    probed.cluster.transport.connections = 4;
    probed.cluster.transport.connection.window = Bytes::Of(64000000);
    probed.cluster.transport.connection.tcp = AnalyticTcp::Bulk;
    probed.cluster.transport.connection.segment = Bytes::Of(8948);
    probed.table = MakeStageTable(probed.job, probed.cluster, probed.plan);
    const Hop hop = probed.Measure();
    const auto lastOf = [&hop](std::int64_t gap)
    {
        MessageWay way;
        std::int64_t last = 0;
        for (std::int64_t message = 0; message < 4; ++message)
        {
            last = way.Carry(message * gap, hop) - message * gap;
        }
        return last;
    };
    EXPECT_GT(lastOf(0), lastOf(1000000000) + 3 * hop.occupancy.ToNanoseconds());
}

// A run warms each connection up with one message of 16.8 MB, for which its window opens. So one
// message alone takes what later ones take. The second of two at once waits for the first one's
// acknowledgements, a round trip of 40 ms, and those open the window for more.
TEST(HopProbe, AWindowThatIsOpenForOneMessageMakesTheSecondWait)
{
    Probed probed;
    probed.plan.dataParallel = 1;
    probed.cluster.wan.caps.queue.value = 8;
    probed.cluster.transport.connections = 1;
    probed.cluster.transport.connection.tcp = AnalyticTcp::Bulk;
    probed.cluster.transport.connection.window = Bytes::Of(64000000);
    probed.cluster.transport.connection.segment = Bytes::Of(1448);
    probed.cluster.transport.connection.initialWindow = Bytes::Of(14480);
    const Hop hop = probed.Measure();
    ASSERT_GE(hop.cold.size(), 3u);
    EXPECT_NEAR(hop.cold[0].alone.ToSeconds() / hop.Total().ToSeconds(), 1, tolerance);
    EXPECT_NEAR(hop.cold[1].behind.ToSeconds() / 0.04, 1, tolerance);
    EXPECT_NEAR(hop.cold[2].behind.ToSeconds() / probed.SecondsAlone(), 1, tolerance);
}

// After a long pause a window begins with W of ten segments, and doubles with each round trip of 40
// ms. A message of 16.8 MB needs the least n with W (2^n - 1) of it: 11 round trips, of the last of
// which only the way there counts, and the sending at 5 Gbit/s at most.
TEST(HopProbe, AMessageAfterALongPauseBeginsWithTheInitialWindow)
{
    Probed probed;
    probed.plan.dataParallel = 1;
    probed.cluster.wan.caps.queue.value = 8;
    probed.cluster.transport.connections = 1;
    AnalyticConnection& connection = probed.cluster.transport.connection;
    connection.tcp = AnalyticTcp::Bulk;
    connection.window = Bytes::Of(64000000);
    connection.segment = Bytes::Of(1448);
    connection.initialWindow = Bytes::Of(14480);
    EXPECT_EQ(probed.Measure().restart.alone, Duration());
    connection.restartsAfterIdle = true;
    const WindowRestart restart = probed.Measure().restart;
    EXPECT_EQ(restart.timeout, Duration::Milliseconds(240));
    EXPECT_GE(restart.alone.ToSeconds(), 10 * 0.04 + 0.02);
    EXPECT_LE(restart.alone.ToSeconds(), 10 * 0.04 + 0.02 + probed.SecondsAlone());
}

} // namespace
} // namespace geotrain
