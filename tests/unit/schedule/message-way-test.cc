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

// A window is halved for each timeout of 100 ns in a pause, and each halving costs a round trip of 26
// ns more, up to what a message takes from the initial window.
TEST(MessageWay, APauseCostsARoundTripForEachTimeout)
{
    Hop hop{Duration::Nanoseconds(10), Duration::Nanoseconds(3)};
    hop.restart = {
        Duration::Nanoseconds(100), Duration::Nanoseconds(26), Duration::Nanoseconds(80)};
    const auto latencyAfter = [&hop](std::int64_t pause)
    {
        MessageWay way;
        way.Carry(0, hop); // a pause of 80 ns before it halves nothing
        way.Carry(0, hop);
        const std::int64_t ready = 6 + pause;
        return way.Carry(ready, hop) - ready;
    };
    EXPECT_EQ(latencyAfter(99), 13);
    EXPECT_EQ(latencyAfter(100), 13 + 26);
    EXPECT_EQ(latencyAfter(250), 13 + 2 * 26);
    EXPECT_EQ(latencyAfter(1000), 80);
}

} // namespace
} // namespace geotrain
