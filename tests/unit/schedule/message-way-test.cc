// SPDX-License-Identifier: GPL-2.0-only
// Tests what messages take on a way, over open windows and while these open.
#include "schedule/message-way.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Returns a hop whose messages take 3 + 10 ns, but for the first three.
Hop
ColdHop()
{
    Hop hop{Duration::Nanoseconds(10), Duration::Nanoseconds(3)};
    hop.cold = {{Duration::Nanoseconds(60), Duration()},
                {Duration::Nanoseconds(40), Duration::Nanoseconds(15)},
                {Duration::Nanoseconds(20), Duration::Nanoseconds(8)}};
    return hop;
}

TEST(MessageWay, MessagesOverColdConnectionsTakeWhatTheirPlaceSays)
{
    const Hop hop = ColdHop();
    MessageWay way;
    EXPECT_EQ(way.Carry(100, hop), 160);
    EXPECT_EQ(way.Carry(1000, hop), 1040);
    EXPECT_EQ(way.Carry(2000, hop), 2020);
    EXPECT_EQ(way.Carry(3000, hop), 3013);
}

TEST(MessageWay, MessagesThatAreSentAtOnceComeBehindEachOther)
{
    const Hop hop = ColdHop();
    MessageWay way;
    EXPECT_EQ(way.Carry(100, hop), 160);
    EXPECT_EQ(way.Carry(100, hop), 160 + 15);
    EXPECT_EQ(way.Carry(100, hop), 160 + 15 + 8);
    EXPECT_EQ(way.Carry(100, hop), 160 + 15 + 8 + 3);
}

// A message that is ready in between takes the longer of both: the one before it, or its own windows.
TEST(MessageWay, AMessageTakesAtLeastItsOwnWindowsTime)
{
    const Hop hop = ColdHop();
    MessageWay way;
    way.Carry(100, hop);
    EXPECT_EQ(way.Carry(134, hop), 160 + 15);
    EXPECT_EQ(way.Carry(170, hop), 170 + 20);
    EXPECT_EQ(way.Carry(171, hop), 190 + 3); // windows are open: behind the one before it
}

} // namespace
} // namespace geotrain
