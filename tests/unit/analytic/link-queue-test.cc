// SPDX-License-Identifier: GPL-2.0-only
// Tests links of a byte per nanosecond, by themselves and on the way of a pair's trains.
#include "analytic/link-queue.h"
#include "analytic/train-route.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

LinkQueue::Settings
OneBytePerNanosecond()
{
    LinkQueue::Settings settings;
    settings.rate = 1;
    settings.segment = 1000;
    return settings;
}

Passage
At(std::int64_t first, std::int64_t last)
{
    return {AtNs(first), AtNs(last)};
}

TEST(LinkQueue, ATrainOfAnotherPairWaitsForWhatIsAhead)
{
    LinkQueue queue(OneBytePerNanosecond());
    EXPECT_EQ(queue.Enter(At(0, 0), 10000).passage.last, AtNs(10000));
    const auto second = queue.Enter(At(4000, 4000), 5000).passage;
    EXPECT_EQ(second.first, AtNs(10000));
    EXPECT_EQ(second.last, AtNs(15000));
}

TEST(LinkQueue, TrainsThatOverlapAtHalfTheRateDoNotWait)
{
    LinkQueue queue(OneBytePerNanosecond());
    queue.Enter(At(0, 10000), 5000);
    EXPECT_EQ(queue.Enter(At(0, 10000), 5000).passage.last, AtNs(10000));
}

TEST(LinkQueue, SomethingSmallWaitsBehindWhatCameBeforeIt)
{
    LinkQueue queue(OneBytePerNanosecond());
    queue.KeepFor(Duration::Milliseconds(1));
    queue.Enter(At(0, 0), 10000);
    queue.Enter(At(8000, 8000), 10000);
    EXPECT_EQ(queue.LeavesAfter(AtNs(3000)), AtNs(10000));
    EXPECT_EQ(queue.LeavesAfter(AtNs(9000)), AtNs(20000));
    EXPECT_EQ(queue.LeavesAfter(AtNs(25000)), AtNs(25000));
}

TEST(LinkQueue, WhatHasNoRoomIsLostInWholePackets)
{
    auto settings = OneBytePerNanosecond();
    settings.limit = 8000;
    LinkQueue queue(settings);
    EXPECT_EQ(queue.Enter(At(0, 0), 6000).lost, 0);
    const auto second = queue.Enter(At(1000, 1000), 6500); // 5,000 wait: 3,500 bytes too many
    EXPECT_EQ(second.lost, 4000);
    EXPECT_EQ(second.passage.last, AtNs(6000 + 2500));
}

// The mean of a sum of n independent losses of probability p is n p, its standard deviation
// sqrt(n p); five of these are 5 % here.
TEST(LinkQueue, RandomLossesHaveTheirRate)
{
    auto settings = OneBytePerNanosecond();
    settings.lossRate = 0.01;
    settings.name = "a -> b";
    LinkQueue queue(settings);
    std::int64_t lost = 0;
    for (int train = 0; train < 100000; ++train)
    {
        lost += queue.Enter(At(0, 0), 10000).lost;
    }
    EXPECT_NEAR(static_cast<double>(lost), 1e9 * 0.01, 0.05 * 1e9 * 0.01);
}

TEST(TrainRoute, ATrainPassesTheQueuesOneAfterAnother)
{
    LinkQueue first(OneBytePerNanosecond());
    auto slow = OneBytePerNanosecond();
    slow.rate = 0.5;
    LinkQueue second(slow);
    TrainRoute route({{0, Duration::Nanoseconds(100)}, {1, Duration::Nanoseconds(200)}},
                     Duration::Nanoseconds(700),
                     [&](std::size_t link) -> LinkQueue& { return link == 0 ? first : second; });
    Train train;
    train.bytes = 1000;
    route.Push(train, At(0, 0));
    while (route.Next() < Instant::Never())
    {
        route.Advance(route.Next());
    }
    // 100 ns, 1,000 ns, 200 ns; the second link sends for 2,000 ns from the first byte on.
    const Passage passage = route.Arrivals().PopFront().passage;
    EXPECT_EQ(passage.first, AtNs(100 + 200 + 400));
    EXPECT_EQ(passage.last, AtNs(100 + 200 + 2000 + 400));
    EXPECT_EQ(route.Arrives(AtNs(0)), AtNs(100 + 200 + 2000 + 400)); // behind the train
}

} // namespace
} // namespace geotrain
