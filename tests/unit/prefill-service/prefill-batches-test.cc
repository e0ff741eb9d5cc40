// SPDX-License-Identifier: GPL-2.0-only
// Batches keep their place while they are in hand, and those without a place go by rank or out by deadline.
#include "prefill-service/prefill-batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace geotrain
{
namespace
{

Instant
At(std::int64_t ms)
{
    return Instant() + Duration::Milliseconds(ms);
}

TEST(PrefillBatches, GiveAFreeIndexAwayAgain)
{
    PrefillBatches batches;
    PrefillBatch one;
    one.stage = 1;
    const std::uint32_t first = batches.Add(one);
    const std::uint32_t second = batches.Add({});
    EXPECT_NE(first, second);
    batches.Free(first);
    EXPECT_EQ(batches[first].stage, 0U); // as a new one
    EXPECT_EQ(batches.Add({}), first);
    EXPECT_EQ(batches.All().size(), 2U);
}

TEST(PrefillBatches, AReferenceStaysGoodWhileOthersAreAdded)
{
    PrefillBatches batches;
    const std::uint32_t index = batches.Add({});
    PrefillBatch& batch = batches[index];
    for (int i = 0; i < 10000; ++i)
    {
        batches.Add({});
    }
    EXPECT_EQ(&batches[index], &batch);
}

/// Batches 1 to 4, whose ranks are 30, 10, 10 and 20 ms; the last has no deadline.
WaitingBatches
Waiting()
{
    WaitingBatches waiting;
    waiting.Add(1, At(30), 1, At(100));
    waiting.Add(2, At(10), 2, At(300));
    waiting.Add(3, At(10), 3, At(200));
    waiting.Add(4, At(20), 4, Instant::Never());
    return waiting;
}

/// What PlaceEach() calls, when the batches of `placed` find a place.
std::vector<std::uint32_t>
Tried(WaitingBatches& waiting, int mostFailures, const std::vector<std::uint32_t>& placed)
{
    std::vector<std::uint32_t> tried;
    waiting.PlaceEach(mostFailures,
                      [&](std::uint32_t index)
                      {
                          tried.push_back(index);
                          return std::count(placed.begin(), placed.end(), index) > 0;
                      });
    return tried;
}

TEST(WaitingBatches, GoByRankAndThenByNumber)
{
    WaitingBatches waiting = Waiting();
    EXPECT_EQ(Tried(waiting, 9, {}), (std::vector<std::uint32_t>{2, 3, 4, 1}));
}

TEST(WaitingBatches, StopAfterAsManyFailuresAsAreAllowed)
{
    WaitingBatches waiting = Waiting();
    EXPECT_EQ(Tried(waiting, 2, {3}), (std::vector<std::uint32_t>{2, 3, 4}));
    EXPECT_EQ(Tried(waiting, 9, {}), (std::vector<std::uint32_t>{2, 4, 1})); // 3 has a place
}

TEST(WaitingBatches, SayWhetherAnyHadToWait)
{
    WaitingBatches waiting = Waiting();
    EXPECT_TRUE(waiting.PlaceEach(9, [](std::uint32_t index) { return index != 4; }));
    EXPECT_FALSE(waiting.PlaceEach(9, [](std::uint32_t) { return true; }));
    EXPECT_FALSE(waiting.PlaceEach(9, [](std::uint32_t) { return false; })); // none is left
}

TEST(WaitingBatches, ExpireByDeadlineAndNotAtIt)
{
    WaitingBatches waiting = Waiting();
    EXPECT_FALSE(waiting.TakeExpired(At(100)));
    EXPECT_EQ(waiting.TakeExpired(At(301)), 1U);
    EXPECT_EQ(waiting.TakeExpired(At(301)), 3U);
    EXPECT_EQ(waiting.TakeExpired(At(301)), 2U);
    EXPECT_FALSE(waiting.TakeExpired(At(1000000)));
    EXPECT_EQ(Tried(waiting, 9, {}), std::vector<std::uint32_t>{4});
}

TEST(WaitingBatches, DoNotExpireOnceTheyHaveAPlace)
{
    WaitingBatches waiting = Waiting();
    Tried(waiting, 9, {1, 3});
    EXPECT_EQ(waiting.TakeExpired(At(1000)), 2U);
    EXPECT_FALSE(waiting.TakeExpired(At(1000)));
}

} // namespace
} // namespace geotrain
