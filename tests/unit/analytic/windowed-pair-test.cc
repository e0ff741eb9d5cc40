// SPDX-License-Identifier: GPL-2.0-only
// Tests the connections of a pair whose queue empties at a byte per nanosecond, with 10 ms each
// way.
#include "analytic/make-pair-sender.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace geotrain
{
namespace
{

using Kind = PairSender::Event::Kind;

/// Heard says when what happened to messages, in milliseconds.
using Heard = std::map<std::pair<std::uint32_t, Kind>, double>;

AnalyticPath
Path(std::uint32_t connections, std::int64_t window)
{
    AnalyticPath path;
    path.connections = connections;
    path.window = Bytes::Of(window);
    path.segment = Bytes::Of(1000);
    path.delay = Duration::Milliseconds(10);
    path.roundTrip = Duration::Milliseconds(20);
    return path;
}

std::unique_ptr<PairSender>
Pair(std::uint32_t connections, std::int64_t window)
{
    return MakePairSender(Path(connections, window));
}

/// Runs pairs until they have nothing to send.
Heard
RunAll(const std::vector<PairSender*>& pairs)
{
    Heard heard;
    Instant now;
    while (now < Instant::Never())
    {
        for (PairSender* pair : pairs)
        {
            pair->Advance(now);
            pair->SetRate(now, 1);
            std::vector<PairSender::Event> events;
            pair->TakeEvents(events);
            for (const auto& event : events)
            {
                heard[{event.message, event.kind}] = now.ToSeconds() * 1e3;
            }
        }
        now = Instant::Never();
        for (const PairSender* pair : pairs)
        {
            now = std::min(now, pair->NextEvent());
        }
    }
    return heard;
}

// bulk-tcp's receiver acknowledges the first two segments at once and holds each later one for 40
// ms. After the handshake n segments need 2 R + (n - 3) (R + 40 ms) until the last of them leaves.
TEST(WindowedPair, AWindowBelowTwoSegmentsWaitsForHeldAcknowledgements)
{
    for (const std::int64_t window : {1000, 1500, 1999})
    {
        const auto pair = Pair(1, window);
        pair->Stripe(7, 5000, 1);
        const Heard heard = RunAll({pair.get()});
        ASSERT_EQ(heard.count({7, Kind::Left}), 1u) << window;
        EXPECT_NEAR(heard.at({7, Kind::Left}), 20 + 2 * 20 + 2 * (20 + 40), 0.01) << window;
    }
}

TEST(WindowedPair, AMessageWithinTheWindowsLeavesAfterTheHandshake)
{
    const auto pair = Pair(4, 1000000);
    pair->Stripe(7, 4000000, 4);
    const Heard heard = RunAll({pair.get()});
    // After the handshake; 4 MB at 1 GB/s.
    EXPECT_NEAR(heard.at({7, Kind::Begun}), 20, 1e-6);
    EXPECT_NEAR(heard.at({7, Kind::Sent}), 20, 1e-6);
    EXPECT_NEAR(heard.at({7, Kind::Left}), 20 + 4, 1e-5);
}

TEST(WindowedPair, WhatIsBeyondTheWindowsWaitsForAnAcknowledgement)
{
    const auto pair = Pair(1, 1000000);
    pair->Stripe(1, 1100000, 5);
    // After the handshake the first segment, 1 us, is acknowledged after 20 ms; then 100 kB go at two
    // windows per round trip, in bursts of up to half of them: in half a millisecond to a whole one.
    EXPECT_NEAR(RunAll({pair.get()}).at({1, Kind::Left}), 20 + 20.001 + 0.75, 0.25);
}

TEST(WindowedPair, ConnectionsTakeChunksWhenTheyAreFree)
{
    const auto pair = Pair(2, 1000000);
    pair->Queue(1, 1500000, 0); // more than the window of the first connection
    pair->Stripe(2, 500000, 2);
    const Heard heard = RunAll({pair.get()});
    // The first chunk waits on the first connection, behind what that has to send.
    EXPECT_GT(heard.at({2, Kind::Left}), 20);
}

TEST(WindowedPair, AcknowledgementsWaitInTheQueueOfTheWayBack)
{
    const auto pair = Pair(1, 1000000);
    const auto back = Pair(1, 20000000);
    pair->SetReverse(*back);
    back->SetReverse(*pair);
    pair->Stripe(1, 1100000, 5);
    // From the handshake's end until 35 ms; acknowledgements come to this queue from 30.001 ms on.
    back->Stripe(2, 15000000, 60);
    EXPECT_NEAR(RunAll({pair.get(), back.get()}).at({1, Kind::Left}), 35 + 10 + 0.75, 0.25);
}

TEST(WindowedPair, EveryMessageBeginsIsSentAndLeavesInOrder)
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed)
    {
        RandomStream random(seed, "test", "windowed-pair");
        auto path = Path(1 + static_cast<std::uint32_t>(5 * random.Uniform()), 300000);
        path.initialWindow = Bytes::Of(10000);
        const auto pair = MakePairSender(path);
        std::int64_t bytes = 0;
        for (std::uint32_t message = 0; message < 10; ++message)
        {
            const auto size = 1 + static_cast<std::int64_t>(3e6 * random.Uniform());
            pair->Stripe(message, size, 1 + size / 100000);
            bytes += size;
        }
        const Heard heard = RunAll({pair.get()});
        ASSERT_EQ(heard.size(), 30u);
        double last = 0;
        for (std::uint32_t message = 0; message < 10; ++message)
        {
            EXPECT_LE(heard.at({message, Kind::Begun}), heard.at({message, Kind::Left}));
            EXPECT_LE(heard.at({message, Kind::Sent}), heard.at({message, Kind::Left}));
            last = std::max(last, heard.at({message, Kind::Left}));
        }
        EXPECT_GE(last, static_cast<double>(bytes) * 1e-6);
    }
}

TEST(WindowedPair, AMessageOfOneChunkHasOneWindowOfManyConnections)
{
    const auto one = Pair(1, 300000);
    const auto many = Pair(64, 300000);
    one->Stripe(1, 1000000, 1);
    many->Stripe(1, 1000000, 1);
    const double alone = RunAll({one.get()}).at({1, Kind::Left});
    EXPECT_GT(alone, 60); // four windows: three round trips of 20 ms before the last
    // Trains of groups are four times as long, of 300 kB a sixteenth each.
    EXPECT_NEAR(RunAll({many.get()}).at({1, Kind::Left}), alone, 4 * 0.3 / 16);
}

TEST(WindowedPair, ConnectionsInGroupsTakeAsLongAsEachByItself)
{
    // 32 connections go one by one, 33 and more in groups. One by one the last connection begins
    // and ends when the others' windows have left; the members of a group begin and end together:
    // at most those windows' serialisation is between them.
    for (const std::int64_t chunks : {8, 16, 32})
    {
        const auto singles = Pair(32, 300000);
        const auto groups = Pair(64, 300000);
        singles->Stripe(1, chunks * 1000000, chunks);
        groups->Stripe(1, chunks * 1000000, chunks);
        const double alone = RunAll({singles.get()}).at({1, Kind::Left});
        const double serialisation = static_cast<double>(chunks) * 300000 * 1e-6;
        EXPECT_NEAR(RunAll({groups.get()}).at({1, Kind::Left}), alone, serialisation) << chunks;
    }
}

TEST(WindowedPair, GroupsMoveWhatSinglesDoInALongRun)
{
    // The windows limit: 64 x 200 kB per round trip of 20 ms are 0.64 bytes per nanosecond.
    const auto pair = Pair(64, 200000);
    for (std::uint32_t message = 0; message < 20; ++message)
    {
        pair->Stripe(message, 64000000, 256);
    }
    const double expected = 20 * 64e6 / (64 * 200e3) * 20;
    EXPECT_NEAR(RunAll({pair.get()}).at({19, Kind::Left}), expected, 0.05 * expected);
}

TEST(WindowedPair, ALongRunAtOddRatesComesToItsEnd)
{
    // At 1e12 bytes, counts are exact to a ten-thousandth of a byte: an end that rounding keeps so
    // far away must not stay there.
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        RandomStream random(seed, "test", "odd-rates");
        const auto pair = Pair(3, 4000000000);
        const std::uint32_t messages = 300;
        std::uint32_t left = 0;
        std::uint32_t steps = 0;
        pair->Stripe(0, 3333333333, 14);
        std::vector<PairSender::Event> events;
        for (Instant now; now < Instant::Never() && steps < 2000 * messages; ++steps)
        {
            pair->Advance(now);
            pair->SetRate(now, 1e-3 + 7 * random.Uniform());
            pair->TakeEvents(events);
            for (const auto& event : events)
            {
                left += event.kind == Kind::Left ? 1 : 0;
                if (event.kind == Kind::Sent && event.message + 1 < messages)
                {
                    pair->Stripe(event.message + 1, 3333333333, 14);
                    pair->Advance(now);
                }
            }
            now = pair->NextEvent();
        }
        EXPECT_EQ(left, messages) << seed;
    }
}

} // namespace
} // namespace geotrain
