// SPDX-License-Identifier: GPL-2.0-only
// Streams on one link rise together until the link is full or they can take no more.
#include "in-network-optimizer/helper/shared-links.h"

#include <gtest/gtest.h>

#include <utility>

namespace ns3
{
namespace
{

/// Adds a stream that moves, and returns its number.
std::size_t
AddMoving(SharedLinks& links, SharedStream stream)
{
    const std::size_t number = links.Add(std::move(stream), [] {});
    links.SetMoving(number, true);
    return number;
}

TEST(SharedLinksTest, AStreamAloneHasWhatItCanTake)
{
    SharedLinks links({100, 40});
    const std::size_t capped = links.Add({70, {{0, 1}}}, [] {});
    const std::size_t narrow = links.Add({70, {{0, 1}, {1, 2}}}, [] {});
    EXPECT_EQ(links.RateOf(capped), 0);
    links.SetMoving(capped, true);
    EXPECT_DOUBLE_EQ(links.RateOf(capped), 70);
    links.SetMoving(capped, false);
    links.SetMoving(narrow, true);
    EXPECT_DOUBLE_EQ(links.RateOf(narrow), 20); // two bytes of 40 for each
}

TEST(SharedLinksTest, ALinkIsSharedEquallyAndWhatOneLeavesTheOtherTakes)
{
    SharedLinks links({100, 40});
    const std::size_t wide = AddMoving(links, {1000, {{0, 1}}});
    const std::size_t other = AddMoving(links, {1000, {{0, 1}}});
    const std::size_t narrow = AddMoving(links, {1000, {{0, 1}, {1, 2}}});
    // The second link bounds one stream to 20; the other two have the rest.
    EXPECT_DOUBLE_EQ(links.RateOf(narrow), 20);
    EXPECT_DOUBLE_EQ(links.RateOf(wide), 40);
    EXPECT_DOUBLE_EQ(links.RateOf(other), 40);
}

TEST(SharedLinksTest, AcknowledgementsOfOneStreamSlowBoth)
{
    // Parameters go down and 32 acknowledgements of 0.073 bytes a byte come up, beside gradients:
    // both have 1 / (1.035 + 32 x 0.073) of the link, LuWu's 30 of 100.
    SharedLinks links({100, 100});
    const std::size_t down = links.Add({1000, {{0, 1.035}, {1, 32 * 0.073}}}, [] {});
    const std::size_t up = links.Add({1000, {{1, 1.035}, {0, 0.073}}}, [] {});
    links.SetMoving(down, true);
    EXPECT_DOUBLE_EQ(links.RateOf(down), 100 / (32 * 0.073));
    links.SetMoving(up, true);
    EXPECT_DOUBLE_EQ(links.RateOf(down), 100 / (1.035 + 32 * 0.073));
    EXPECT_DOUBLE_EQ(links.RateOf(up), links.RateOf(down));
}

TEST(SharedLinksTest, StreamsOfOneNicGoOneAfterAnother)
{
    SharedLinks links({100});
    const std::size_t early = links.Add({70, {{0, 1}}, true}, [] {});
    const std::size_t late = links.Add({70, {{0, 1}}, true}, [] {});
    links.SetMoving(late, true);
    links.SetMoving(early, true);
    links.SetMoving(late, false); // and again: now it is behind the other
    links.SetMoving(late, true);
    EXPECT_DOUBLE_EQ(links.RateOf(early), 70);
    EXPECT_DOUBLE_EQ(links.RateOf(late), 30);
    links.SetMoving(early, false);
    EXPECT_DOUBLE_EQ(links.RateOf(late), 70);
}

TEST(SharedLinksTest, HeartbeatsWaitBehindWindowsThatMeet)
{
    // Two windows of 60 bytes meet in a link of 100 bytes/s, where a loop of 0.5 s holds 50: 70 wait.
    // So the third stream has its own window in 0.5 + 0.7 s.
    SharedLinks links({100, 100});
    const std::size_t waits = AddMoving(links, {100, {{1, 1}}, true, 60, 0.5, 0});
    EXPECT_DOUBLE_EQ(links.RateOf(waits), 100);
    const std::size_t first = AddMoving(links, {1000, {{0, 1}}, false, 60, 0.5});
    AddMoving(links, {1000, {{0, 1}}, false, 60, 0.5});
    EXPECT_DOUBLE_EQ(links.HeartbeatWait(waits), 0.7);
    EXPECT_DOUBLE_EQ(links.RateOf(waits), 50);
    EXPECT_EQ(links.HeartbeatWait(first), 0);
}

TEST(SharedLinksTest, HeartbeatsTakeTheirRateWhileTheirStreamMoves)
{
    SharedLinks links({100, 100});
    const std::size_t data = links.Add({1000, {{0, 1}}}, [] {});
    const std::size_t other = links.Add({1000, {{1, 1}}, false, 0, 0, {}, {{0, 30}}}, [] {});
    links.SetMoving(data, true);
    EXPECT_DOUBLE_EQ(links.RateOf(data), 100);
    links.SetMoving(other, true);
    EXPECT_DOUBLE_EQ(links.RateOf(data), 70);
}

TEST(SharedLinksTest, TellsOnlyThoseWhoseRateChanged)
{
    SharedLinks links({100, 100});
    int first = 0;
    int second = 0;
    const std::size_t stays = links.Add({1000, {{0, 1}}}, [&first] { ++first; });
    const std::size_t apart = links.Add({1000, {{1, 1}}}, [&second] { ++second; });
    const std::size_t other = links.Add({1000, {{0, 1}}}, [] {});
    links.SetMoving(stays, true);
    links.SetMoving(apart, true);
    links.SetMoving(other, true);
    links.SetMoving(other, true); // nothing new
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 0);
    EXPECT_DOUBLE_EQ(links.RateOf(stays), 50);
}

} // namespace
} // namespace ns3
