// SPDX-License-Identifier: GPL-2.0-only
// Tests a ring that grows while its start lies anywhere in its memory.
#include "units/growing-ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

namespace geotrain
{
namespace
{

TEST(GrowingRing, GivesWhatCameFirstWhereverItsStartIsWhenItGrows)
{
    for (int taken = 0; taken < 20; ++taken)
    {
        GrowingRing<int> ring;
        std::deque<int> expected;
        int next = 0;
        for (int step = 0; step < 100; ++step)
        {
            ring.PushBack(next);
            expected.push_back(next++);
            if (step < taken)
            {
                EXPECT_EQ(ring.PopFront(), expected.front());
                expected.pop_front();
            }
        }
        ASSERT_EQ(ring.Size(), expected.size());
        EXPECT_EQ(ring.Front(), expected.front());
        EXPECT_EQ(ring.Back(), expected.back());
        EXPECT_EQ(std::vector<int>(ring.begin(), ring.end()),
                  std::vector<int>(expected.begin(), expected.end()));
    }
}

TEST(GrowingRing, TakesWhatCannotBeCopied)
{
    GrowingRing<std::unique_ptr<int>> ring;
    EXPECT_TRUE(ring.Empty());
    ring.PushBack(std::make_unique<int>(7));
    EXPECT_EQ(*ring.PopFront(), 7);
    EXPECT_TRUE(ring.Empty());
}

} // namespace
} // namespace geotrain
