// SPDX-License-Identifier: GPL-2.0-only
// BlockFifo against std::deque, and that an item keeps its place.
#include "wan-topology/model/block-fifo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace
{

using Fifo = ns3::BlockFifo<int>;

TEST(BlockFifo, GivesWhatCameFirstHoweverManyBlocksItFills)
{
    std::mt19937 random(1);
    Fifo fifo;
    std::deque<int> expected;
    std::size_t longest = 0;
    for (int i = 0; i < 100000; ++i)
    {
        // It grows for 1,000 steps, then it shrinks, often to nothing.
        const bool grows = i / 1000 % 2 == 0;
        if (random() % 4 < (grows ? 3U : 1U))
        {
            fifo.AddBack() = i;
            expected.push_back(i);
        }
        else if (!expected.empty())
        {
            fifo.PopFront();
            expected.pop_front();
        }
        longest = std::max(longest, expected.size());
        ASSERT_EQ(fifo.Empty(), expected.empty());
        if (!expected.empty())
        {
            ASSERT_EQ(fifo.Front(), expected.front());
            ASSERT_EQ(fifo.Second() != nullptr, expected.size() > 1);
            ASSERT_EQ(fifo.Second() ? *fifo.Second() : 0, expected.size() > 1 ? expected[1] : 0);
        }
    }
    EXPECT_GT(longest, 256U); // or it has filled few blocks of 64
}

TEST(BlockFifo, ItemKeepsItsPlaceWhileOthersCome)
{
    Fifo fifo;
    fifo.AddBack() = 1;
    const int& first = fifo.Front();
    for (int i = 0; i < 1000; ++i)
    {
        fifo.AddBack() = 2;
    }
    EXPECT_EQ(&fifo.Front(), &first);
    EXPECT_EQ(first, 1);
}

} // namespace
