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
    links.Move(number, links.NextTurn());
    return number;
}

TEST(SharedLinksTest, AStreamAloneHasWhatItCanTake)
{
    SharedLinks links({100, 40});
    const std::size_t capped = links.Add({70, {{0, 1}}}, [] {});
    const std::size_t narrow = links.Add({70, {{0, 1}, {1, 2}}}, [] {});
    EXPECT_EQ(links.RateOf(capped), 0);
    links.Move(capped, links.NextTurn());
    EXPECT_DOUBLE_EQ(links.RateOf(capped), 70);
    links.Stop(capped);
    links.Move(narrow, links.NextTurn());
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
    links.Move(down, links.NextTurn());
    EXPECT_DOUBLE_EQ(links.RateOf(down), 100 / (32 * 0.073));
    links.Move(up, links.NextTurn());
    EXPECT_DOUBLE_EQ(links.RateOf(down), 100 / (1.035 + 32 * 0.073));
    EXPECT_DOUBLE_EQ(links.RateOf(up), links.RateOf(down));
}

TEST(SharedLinksTest, RequestsOfOneNicGoInTheirOrder)
{
    SharedLinks links({100});
    const std::size_t first = links.Add({70, {{0, 1}}, true}, [] {});
    const std::size_t second = links.Add({70, {{0, 1}}, true}, [] {});
    const std::uint64_t early = links.NextTurn();
    links.Move(second, links.NextTurn());
    EXPECT_DOUBLE_EQ(links.RateOf(second), 70);
    links.Move(first, early); // it had no credit before
    EXPECT_DOUBLE_EQ(links.RateOf(first), 70);
    EXPECT_DOUBLE_EQ(links.RateOf(second), 30);
    links.Move(first, links.NextTurn()); // its next request is behind the other's
    EXPECT_DOUBLE_EQ(links.RateOf(first), 30);
    links.Stop(second);
    EXPECT_DOUBLE_EQ(links.RateOf(first), 70);
}

TEST(SharedLinksTest, AStreamWhoseHeartbeatsWaitBehindWindowsIsSlowAfterItsFirstOne)
{
    // Two windows of 60 bytes meet in a link of 100 bytes/s, where a loop of 0.5 s holds 50: 70 wait.
    // So the third stream has its own window in 0.5 + 0.7 s.
    SharedLinks links({100, 100});
    SharedStream asks{100, {{1, 1}}, true, 60, 0.5};
    asks.heartbeats = 0;
    const std::size_t waits = links.Add(asks, [] {});
    links.Move(waits, 0, false);
    AddMoving(links, {1000, {{0, 1}}, false, 60, 0.5});
    AddMoving(links, {1000, {{0, 1}}, false, 60, 0.5});
    EXPECT_DOUBLE_EQ(links.RateOf(waits), 100);
    links.Move(waits, 0, true);
    EXPECT_DOUBLE_EQ(links.RateOf(waits), 50);
}

TEST(SharedLinksTest, AHeartbeatWaitsBehindWhatLinksHaveNotCarriedAndHalfAPacket)
{
    SharedLinks links({100, 100});
    SharedStream waits{100, {{1, 1}}};
    waits.heartbeats = 0;
    const std::size_t number = links.Add(waits, [] {});
    SharedStream fills{1000, {{0, 1}}};
    fills.packet = 8;
    const Queues queues{{}, [] { return 30.0; }};
    for (int stream = 0; stream < 2; ++stream)
    {
        EXPECT_DOUBLE_EQ(links.HeartbeatWait(number), stream == 0 ? 0 : 0.3 + 0.04);
        links.Move(links.Add(
                       fills, [] {}, queues),
                   0);
    }
    EXPECT_DOUBLE_EQ(links.HeartbeatWait(number), 0.6 + 0.04);
}

TEST(SharedLinksTest, AHeartbeatWaitsInItsNicBehindData)
{
    SharedLinks links({100, 100});
    SharedStream waits{100, {{1, 1}}};
    waits.heartbeatNic = 0;
    const std::size_t number = links.Add(waits, [] {});
    SharedStream sends{100, {{0, 1}}};
    sends.nic = 0;
    const std::size_t data = links.Add(sends, [] {}, {[] { return 0.2; }, {}});
    EXPECT_EQ(links.NicWait(number), 0);
    links.Move(data, 0);
    EXPECT_DOUBLE_EQ(links.NicWait(number), 0.2);
}

TEST(SharedLinksTest, HeartbeatsTakeTheirRateWhileTheirStreamMoves)
{
    SharedLinks links({100, 100});
    const std::size_t data = links.Add({1000, {{0, 1}}}, [] {});
    SharedStream sends{1000, {{1, 1}}};
    sends.loads = {{0, 30}};
    const std::size_t other = links.Add(sends, [] {});
    links.Move(data, 0);
    EXPECT_DOUBLE_EQ(links.RateOf(data), 100);
    links.Move(other, 0);
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
    links.Move(stays, 0);
    links.Move(apart, 0);
    links.Move(other, 0);
    links.Move(other, 0); // nothing new
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 0);
    EXPECT_DOUBLE_EQ(links.RateOf(stays), 50);
}

} // namespace
} // namespace ns3
