// The connections of a pair whose queue leaves at a byte a nanosecond, 10 ms each way.
#include "analytic/windowed-pair.h"

#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace geotrain
{
namespace
{

using Kind = WindowedPair::Event::Kind;

/// When what happened to messages, in milliseconds.
using Heard = std::map<std::pair<std::uint32_t, Kind>, double>;

WindowedPair::Settings
Settings(std::uint32_t connections, std::int64_t window)
{
    WindowedPair::Settings settings;
    settings.connections = connections;
    settings.window.limit = window;
    settings.window.segment = 1000;
    settings.delay = Duration::Milliseconds(10);
    settings.returnDelay = Duration::Milliseconds(10);
    return settings;
}

/// Runs pairs to their ends.
Heard
RunAll(const std::vector<WindowedPair*>& pairs)
{
    Heard heard;
    Instant now;
    while (now < Instant::Never())
    {
        for (WindowedPair* pair : pairs)
        {
            pair->Advance(now);
            pair->SetRate(now, 1);
            std::vector<WindowedPair::Event> events;
            pair->TakeEvents(events);
            for (const auto& event : events)
            {
                heard[{event.message, event.kind}] = now.ToSeconds() * 1e3;
            }
        }
        now = Instant::Never();
        for (const WindowedPair* pair : pairs)
        {
            now = std::min(now, pair->NextEvent());
        }
    }
    return heard;
}

TEST(WindowedPair, AMessageWithinTheWindowsLeavesAtOnce)
{
    WindowedPair pair(Settings(4, 1000000));
    pair.Stripe(7, 4000000, 16);
    const Heard heard = RunAll({&pair});
    EXPECT_NEAR(heard.at({7, Kind::Begun}), 0, 1e-6);
    EXPECT_NEAR(heard.at({7, Kind::Sent}), 0, 1e-6);
    EXPECT_NEAR(heard.at({7, Kind::Left}), 4, 1e-5); // 4 MB at 1 GB/s
}

TEST(WindowedPair, WhatIsBeyondTheWindowsWaitsForAnAcknowledgement)
{
    WindowedPair pair(Settings(1, 1000000));
    pair.Stripe(1, 1100000, 5);
    // Two segments, 2 us, are acknowledged after 20 ms; then 100 kB take 0.1 ms.
    EXPECT_NEAR(RunAll({&pair}).at({1, Kind::Left}), 20.002 + 0.1, 1e-5);
}

TEST(WindowedPair, ConnectionsTakeChunksWhenTheyAreFree)
{
    WindowedPair pair(Settings(2, 1000000));
    pair.Queue(1, 1500000, 0); // more than the window of the first connection
    pair.Stripe(2, 500000, 2);
    const Heard heard = RunAll({&pair});
    // The first chunk waits on the first connection, behind what that has to send.
    EXPECT_GT(heard.at({2, Kind::Left}), 20);
}

TEST(WindowedPair, AcknowledgementsWaitInTheQueueOfTheWayBack)
{
    WindowedPair pair(Settings(1, 1000000));
    WindowedPair back(Settings(1, 20000000));
    pair.SetReverse(back);
    back.SetReverse(pair);
    pair.Stripe(1, 1100000, 5);
    back.Stripe(
        2, 15000000, 60); // until 15 ms; acknowledgements come to this queue from 10.002 ms on
    EXPECT_NEAR(RunAll({&pair, &back}).at({1, Kind::Left}), 15 + 10 + 0.1, 1e-4);
}

TEST(WindowedPair, EveryMessageBeginsIsSentAndLeavesInOrder)
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed)
    {
        RandomStream random(seed, "test", "windowed-pair");
        auto settings = Settings(1 + static_cast<std::uint32_t>(5 * random.Uniform()), 300000);
        settings.window.initial = 10000;
        settings.header = 32;
        WindowedPair pair(settings);
        std::int64_t bytes = 0;
        for (std::uint32_t message = 0; message < 10; ++message)
        {
            const auto size = 1 + static_cast<std::int64_t>(3e6 * random.Uniform());
            pair.Stripe(message, size, 1 + size / 100000);
            bytes += size;
        }
        const Heard heard = RunAll({&pair});
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
    WindowedPair one(Settings(1, 300000));
    WindowedPair many(Settings(64, 300000));
    one.Stripe(1, 1000000, 1);
    many.Stripe(1, 1000000, 1);
    const double alone = RunAll({&one}).at({1, Kind::Left});
    EXPECT_GT(alone, 60); // four windows: three round trips of 20 ms before the last
    EXPECT_NEAR(RunAll({&many}).at({1, Kind::Left}), alone, 1e-6);
}

TEST(WindowedPair, ConnectionsInLanesTakeAsLongAsEachByItself)
{
    // 32 connections go one by one, 33 and more in lanes. One by one the last connection begins and ends when the others' windows
    // have left; the members of a lane begin and end together: at most those windows' serialisation is between them.
    for (const std::int64_t chunks : {8, 16, 32})
    {
        WindowedPair singles(Settings(32, 300000));
        WindowedPair lanes(Settings(64, 300000));
        singles.Stripe(1, chunks * 1000000, chunks);
        lanes.Stripe(1, chunks * 1000000, chunks);
        const double alone = RunAll({&singles}).at({1, Kind::Left});
        const double serialisation = static_cast<double>(chunks) * 300000 * 1e-6;
        EXPECT_NEAR(RunAll({&lanes}).at({1, Kind::Left}), alone, serialisation) << chunks;
    }
}

TEST(WindowedPair, LanesMoveWhatSinglesDoInALongRun)
{
    // Window-limited: 64 x 200 kB a round trip of 20 ms are 0.64 bytes a nanosecond.
    WindowedPair pair(Settings(64, 200000));
    for (std::uint32_t message = 0; message < 20; ++message)
    {
        pair.Stripe(message, 64000000, 256);
    }
    const double expected = 20 * 64e6 / (64 * 200e3) * 20;
    EXPECT_NEAR(RunAll({&pair}).at({19, Kind::Left}), expected, 0.05 * expected);
}

TEST(WindowedPair, ALongRunAtOddRatesComesToItsEnd)
{
    // 1e12 bytes are counted to a ten-thousandth of one: an end that rounding keeps so far away must not stay there.
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
    {
        RandomStream random(seed, "test", "odd-rates");
        WindowedPair pair(Settings(3, 4000000000));
        const std::uint32_t messages = 300;
        std::uint32_t left = 0;
        std::uint32_t steps = 0;
        pair.Stripe(0, 3333333333, 14);
        std::vector<WindowedPair::Event> events;
        for (Instant now; now < Instant::Never() && steps < 2000 * messages; ++steps)
        {
            pair.Advance(now);
            pair.SetRate(now, 1e-3 + 7 * random.Uniform());
            pair.TakeEvents(events);
            for (const auto& event : events)
            {
                left += event.kind == Kind::Left ? 1 : 0;
                if (event.kind == Kind::Sent && event.message + 1 < messages)
                {
                    pair.Stripe(event.message + 1, 3333333333, 14);
                    pair.Advance(now);
                }
            }
            now = pair.NextEvent();
        }
        EXPECT_EQ(left, messages) << seed;
    }
}

} // namespace
} // namespace geotrain
