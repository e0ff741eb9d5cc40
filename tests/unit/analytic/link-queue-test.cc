// SPDX-License-Identifier: GPL-2.0-only
// Tests links of a byte per nanosecond, by themselves and on the way of a pair's trains.
#include "analytic/link-queue.h"
#include "analytic/train-route.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

/// Moves the trains of several routes on in the order of time, until `end`.
void
Advance(const std::vector<TrainRoute*>& routes, Instant end)
{
    for (;;)
    {
        const auto next = std::min_element(routes.begin(),
                                           routes.end(),
                                           [](const TrainRoute* a, const TrainRoute* b)
                                           { return a->Next() < b->Next(); });
        if ((*next)->Next() > end)
        {
            return;
        }
        (*next)->Advance((*next)->Next());
    }
}

TEST(LinkQueue, ATrainOfHigherRankGoesFirstAndDelaysTheOthersByItsOwnTime)
{
    LinkQueue queue(OneBytePerNanosecond());
    const auto queueOf = [&](std::size_t) -> LinkQueue& { return queue; };
    const std::vector<AnalyticPath::Hop> hops{{0, Duration()}};
    TrainRoute high(hops, Duration(), queueOf, 1);
    TrainRoute low(hops, Duration(), queueOf, 0);
    Train train;
    train.bytes = 10000;
    low.Push(train, At(0, 0));
    low.Push(train, At(0, 0));
    Advance({&high, &low}, AtNs(4000));
    train.bytes = 3000;
    high.Push(train, At(4000, 4000));
    high.Push(train, At(15000, 15000));
    Advance({&high, &low}, AtNs(100000));
    // The first of rank 0 is interrupted at 4,000 and ends at 13,000; the second at 15,000 and ends at
    // 26,000, when all bytes are sent.
    EXPECT_EQ(high.Arrivals().PopFront().passage.last, AtNs(7000));
    EXPECT_EQ(high.Arrivals().PopFront().passage.last, AtNs(18000));
    EXPECT_EQ(low.Arrivals().PopFront().passage.last, AtNs(13000));
    EXPECT_EQ(low.Arrivals().PopFront().passage.last, AtNs(26000));
    // Something small of rank 1 waits for rank 1 alone.
    EXPECT_EQ(high.Arrives(AtNs(16000)), AtNs(18000));
    EXPECT_EQ(low.Arrives(AtNs(16000)), AtNs(26000));
}

TEST(LinkQueue, EachRankHasTheWholeRoom)
{
    auto settings = OneBytePerNanosecond();
    settings.limit = 8000;
    LinkQueue queue(settings);
    EXPECT_EQ(queue.Enter(At(0, 0), 8000, 0).lost, 0);
    EXPECT_EQ(queue.Enter(At(0, 0), 8000, 2).lost, 0);
    EXPECT_EQ(queue.Enter(At(0, 0), 8000, 1).lost, 0);
    EXPECT_EQ(queue.Enter(At(0, 0), 8000, 1).lost, 8000);
    EXPECT_EQ(queue.Enter(At(0, 0), 8000, 0).lost, 8000);
    // Ranks 0 and 1 wait for rank 2, and rank 0 for rank 1, whenever these came.
    EXPECT_EQ(queue.LeavesAfter(AtNs(0), 2), AtNs(8000));
    EXPECT_EQ(queue.LeavesAfter(AtNs(0), 1), AtNs(16000));
    EXPECT_EQ(queue.LeavesAfter(AtNs(0), 0), AtNs(24000));
}

} // namespace
} // namespace geotrain
