// SPDX-License-Identifier: GPL-2.0-only
// Batches keep their place while they are in hand, and those without a place go by rank or out by deadline.
#include "instants.h"
#include "prefill-service/prefill-batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace geotrain
{
namespace
{

TEST(PrefillBatches, GiveAFreeIndexAwayAgain)
{
    PrefillBatches batches;
    PrefillBatch one;
    one.chain = 1;
    const std::uint32_t first = batches.Add(one);
    const std::uint32_t second = batches.Add({});
    EXPECT_NE(first, second);
    batches.Free(first);
    EXPECT_EQ(batches[first].chain, 0U); // as a new one
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
    const auto add = [&waiting](std::uint32_t index, Instant rank, Instant deadline)
    {
        PrefillBatch batch;
        batch.rank = {rank, index};
        batch.deadline = deadline;
        waiting.Add(index, batch);
    };
    add(1, AtMs(30), AtMs(100));
    add(2, AtMs(10), AtMs(300));
    add(3, AtMs(10), AtMs(200));
    add(4, AtMs(20), Instant::Never());
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

TEST(WaitingBatches, AreEmptyOnceAllHaveAPlace)
{
    WaitingBatches waiting = Waiting();
    waiting.PlaceEach(9, [](std::uint32_t index) { return index != 4; });
    EXPECT_FALSE(waiting.IsEmpty());
    waiting.PlaceEach(9, [](std::uint32_t) { return true; });
    EXPECT_TRUE(waiting.IsEmpty());
}

TEST(WaitingBatches, ExpireByDeadlineAndNotAtIt)
{
    WaitingBatches waiting = Waiting();
    EXPECT_FALSE(waiting.TakeExpired(AtMs(100)));
    EXPECT_EQ(waiting.TakeExpired(AtMs(301)), 1U);
    EXPECT_EQ(waiting.TakeExpired(AtMs(301)), 3U);
    EXPECT_EQ(waiting.TakeExpired(AtMs(301)), 2U);
    EXPECT_FALSE(waiting.TakeExpired(AtMs(1000000)));
    EXPECT_EQ(Tried(waiting, 9, {}), std::vector<std::uint32_t>{4});
}

TEST(WaitingBatches, DoNotExpireOnceTheyHaveAPlace)
{
    WaitingBatches waiting = Waiting();
    Tried(waiting, 9, {1, 3});
    EXPECT_EQ(waiting.TakeExpired(AtMs(1000)), 2U);
    EXPECT_FALSE(waiting.TakeExpired(AtMs(1000)));
}

} // namespace
} // namespace geotrain
