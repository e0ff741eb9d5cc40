// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/tail-drop.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(TailDrop, ALongTrainLosesWhatHasNoRoom)
{
    TailDrop queue(1000000, 1000);
    EXPECT_EQ(queue.Of(-1, 100000).bytes, 0);
    const auto drop = queue.Of(30000, 100000);
    EXPECT_EQ(drop.bytes, 30000);
    EXPECT_FALSE(drop.isEnd);
    EXPECT_TRUE(queue.Of(60000, 100000).isEnd);
}

// The last 1,000,000 / 32 = 31,250 bytes of the queue decide: with a tenth of them too much, a tenth is dropped,
// in whole packets, whoever sends.
TEST(TailDrop, ShortTrainsLoseTheSameShare)
{
    TailDrop queue(1000000, 1000);
    std::int64_t dropped = 0;
    for (int train = 0; train < 1000; ++train)
    {
        dropped += queue.Of(3125, train % 2 == 0 ? 1000 : 3000).bytes;
    }
    EXPECT_EQ(dropped, 200000); // of 2,000,000
}

TEST(TailDrop, NothingComesThroughBeyondTheRamp)
{
    TailDrop queue(1000000, 1000);
    const auto drop = queue.Of(40000, 2500);
    EXPECT_EQ(drop.bytes, 2500);
    EXPECT_TRUE(drop.isEnd);
}

} // namespace
} // namespace geotrain
