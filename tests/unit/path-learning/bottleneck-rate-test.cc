// SPDX-License-Identifier: GPL-2.0-only
// The rate of a path whose cross traffic never leaves all of it to the recorded packets.
#include "path-learning/bottleneck-rate.h"
#include "path-learning/ibox-estimate.h"
#include "path-learning/recorded-delays.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{
namespace
{

/// Returns pairs of packets of 1,000 bytes, 400 a second, through a FIFO of 8 Mbit/s, a packet per
/// millisecond. Cross traffic of such packets comes at random times and takes `crossShare`.
PacketTrace
PairsThroughFifo(double crossShare)
{
    RandomStream stream(1, "test", "cross traffic");
    PacketTrace trace;
    double cross = 0; // time of the next packet of cross traffic, in ms
    double free = 0;  // time at which the FIFO is empty
    for (int i = 0; i < 4000; ++i)
    {
        const double sent = 5.0 * (i / 2) + 0.01 * (i % 2);
        while (crossShare > 0 && cross <= sent)
        {
            free = std::max(free, cross) + 1;
            cross -= std::log(stream.Uniform()) / crossShare;
        }
        free = std::max(free, sent) + 1;
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(std::llround(1e6 * sent));
        packet.size = Bytes::Of(1000);
        packet.delay = Duration::Nanoseconds(std::llround(1e6 * (free - sent + 20)));
        trace.packets.push_back(packet);
    }
    FinishTrace(trace);
    return trace;
}

// The second of a pair is 10 us behind the first: hardly ever is anything between them.
TEST(ExactRate, IsThatOfTheFifoWhateverCrossTrafficTakes)
{
    const PacketTrace trace = PairsThroughFifo(0.5);
    EXPECT_LT(BusyRate(trace).ToBitsPerSecond(), 7000000);
    const auto rate = ExactRate(trace);
    ASSERT_TRUE(rate);
    EXPECT_NEAR(static_cast<double>(rate->ToBitsPerSecond()), 8e6, 8e3);
}

// What delivers all that came in 7 ms at once spaces packets by nothing, or by 7 ms.
TEST(ExactRate, IsNotThatOfBursts)
{
    PacketTrace trace = PairsThroughFifo(0.5);
    for (TracedPacket& packet : trace.packets)
    {
        const std::int64_t arrival = (packet.sent + *packet.delay - Instant()).ToNanoseconds();
        const std::int64_t delivery = (arrival + 6999999) / 7000000 * 7000000;
        packet.delay = Instant::FromNanoseconds(delivery) - packet.sent;
    }
    EXPECT_LT(ExactRate(trace).value_or(BusyRate(trace)).ToBitsPerSecond(), 8800000);
}

/// Returns pairs through a busy FIFO of 8 Mbit/s, a packet per millisecond. Cross traffic put 0 to
/// 9 times 1.2 % of a packet between the two of a pair, and arrivals are off by up to `noise` of
/// one.
PacketTrace
PairsWithALittleBetween(double noise)
{
    RandomStream stream(1, "test", "little cross traffic");
    PacketTrace trace;
    for (int i = 0; i < 4000; ++i)
    {
        double little = 0;
        for (int k = 0; k < 9; ++k)
        {
            little += stream.Uniform() < 0.4 ? 0.012 : 0;
        }
        const double sent = 5.0 * (i / 2) + 0.01 * (i % 2);
        const double waited = i < 2 ? 0 : 1; // of the first of the pair; the first of all has not
        const double arrived = 5.0 * (i / 2) + waited + (i % 2 == 0 ? 1 : 2 + little) + 20;
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(std::llround(1e6 * sent));
        packet.size = Bytes::Of(1000);
        packet.delay =
            Duration::Nanoseconds(std::llround(1e6 * (arrived - sent + noise * stream.Uniform())));
        trace.packets.push_back(packet);
    }
    FinishTrace(trace);
    return trace;
}

// 0.6^9 = 1 % of the pairs had nothing between them, and 3.6 times 1.2 % is most common: the rate
// was 2 % too small or not found.
TEST(ExactRate, IsTheFloorOfSpacingsThoughSlowerOnesNearbyAreMoreCommon)
{
    const auto rate = ExactRate(PairsWithALittleBetween(1e-4));
    ASSERT_TRUE(rate);
    EXPECT_NEAR(static_cast<double>(rate->ToBitsPerSecond()), 8e6, 8e3);
}

// Two noises of 0 to 2 % make spacings from 2 % below to 2 % above 1 to 1.11 packet times, with no
// step at which they begin. The tail of noise isn't the rate.
TEST(ExactRate, IsNotTheTailOfNoise)
{
    const PacketTrace trace = PairsWithALittleBetween(0.02);
    EXPECT_LE(ExactRate(trace).value_or(BusyRate(trace)).ToBitsPerSecond(), 8100000);
}

TEST(ExactRate, OfFewPacketsIsNone)
{
    PacketTrace trace = PairsThroughFifo(0.5);
    trace.packets.resize(40);
    EXPECT_FALSE(ExactRate(trace));
}

/// A StalledRecord is of packets of 1,500 bytes that are sent at 0.8 and 1.2 times the rate, two
/// seconds each, through a FIFO of 0.1 s and 40 ms. The recording host wakes up every 2 ms at
/// random, and stalls at `stalls`, each for 0.1 s more than the one before: what came meanwhile
/// arrives at once. In five seconds of eight others' packets take `crossShare` of the rate.
struct StalledRecord
{
    double bitsPerSecond;
    std::vector<double> stalls; ///< s
    double crossShare = 0;

    PacketTrace Record() const
    {
        RandomStream stream(1, "test", "stalls");
        const double packetSeconds = 1500 * 8 / bitsPerSecond;
        PacketTrace trace;
        double free = 0;
        double awake = 0;
        for (double sent = 0; sent < 30;
             sent += packetSeconds / (std::fmod(sent, 4) < 2 ? 0.8 : 1.2))
        {
            TracedPacket packet;
            packet.sent = Instant::FromNanoseconds(std::llround(1e6 * sent) * 1000);
            packet.size = Bytes::Of(1500);
            if (free - sent < 0.1)
            {
                const bool isBehindAnother =
                    std::fmod(sent, 8) < 5 && stream.Uniform() < crossShare / (1 - crossShare);
                free = std::max(free, sent) + (isBehindAnother ? 2 : 1) * packetSeconds;
                double arrival = free + 0.04;
                for (std::size_t i = 0; i < stalls.size(); ++i)
                {
                    const double end = stalls[i] + 0.1 * static_cast<double>(i + 1);
                    arrival = arrival >= stalls[i] && arrival < end ? end : arrival;
                }
                awake = arrival > awake ? arrival + 0.002 * stream.Uniform() : awake;
                packet.delay = Duration::Microseconds(std::llround(1e6 * (awake - sent)));
            }
            trace.packets.push_back(packet);
        }
        FinishTrace(trace);
        return trace;
    }
};

// A peak takes the catch-up for the rate: (1 s + 0.4 s) / 1 s of it behind the longest stall. The
// propagation is off by what the host sleeps, 2 ms, and the time of a packet on the wire; the
// buffer by as much and the packet that it begins to take.
TEST(BusyRate, IsTheLinksThoughTheRecordingHostStalls)
{
    for (const double rate : {12e6, 1e6})
    {
        const PacketTrace trace = StalledRecord{rate, {3.1, 11.3, 19.2, 27.5}}.Record();
        EXPECT_NEAR(static_cast<double>(BusyRate(trace).ToBitsPerSecond()), rate, 0.02 * rate);
        const PathParameters path = EstimatePath(trace);
        EXPECT_NEAR(static_cast<double>(path.rate.ToBitsPerSecond()), rate, 0.02 * rate);
        EXPECT_EQ(path.crossTraffic.MeanBitsPerSecond(), 0);
        EXPECT_NEAR(path.propagation.ToSeconds(), 0.04, 0.002 + 12000 / rate);
        EXPECT_NEAR(
            static_cast<double>(path.buffer.Count()), 0.1 * rate / 8, 3000 + 0.002 * rate / 8);
    }
}

// The median of busy seconds is what others leave, 0.7 of the rate; three seconds of eight are free of
// them. Hosts that sleep hide the exact spacing.
TEST(FreeRate, IsTheLinksThoughOthersTakeTheirShareOfMostSeconds)
{
    for (const double rate : {12e6, 1e6})
    {
        const PacketTrace trace = StalledRecord{rate, {3.1, 19.2}, 0.3}.Record();
        EXPECT_LT(BusyRate(trace).ToBitsPerSecond(), 0.8 * rate);
        const PathParameters path = EstimatePath(trace);
        EXPECT_NEAR(static_cast<double>(path.rate.ToBitsPerSecond()), rate, 0.02 * rate);
        EXPECT_GT(path.crossTraffic.MeanBitsPerSecond(), 0.1 * rate);
    }
}

TEST(Stalls, AreFoundWithTheirLengthAndLeftOut)
{
    PacketTrace trace = StalledRecord{12e6, {3.1, 11.3, 19.2, 27.5}}.Record();
    const std::vector<Stall> stalls = RemoveStalls(trace, BitRate::BitsPerSecond(12000000));
    ASSERT_EQ(stalls.size(), 4u);
    for (std::size_t i = 0; i < stalls.size(); ++i)
    {
        EXPECT_NEAR(stalls[i].length.ToSeconds(), 0.1 * static_cast<double>(i + 1), 0.005) << i;
    }
    EXPECT_TRUE(RemoveStalls(trace, BitRate::BitsPerSecond(12000000)).empty());
    PacketTrace calm = StalledRecord{12e6, {}}.Record();
    EXPECT_TRUE(RemoveStalls(calm, BitRate::BitsPerSecond(12000000)).empty());
}

// A small packet crosses in less time on the wire. What arrived behind a stall had the least delay of
// all: the propagation was too small by a packet's time, 12 ms.
TEST(Stalls, LeaveNoPacketLessThanThePropagationAndItsTimeOnTheWire)
{
    PacketTrace trace = StalledRecord{1e6, {3.1, 11.3, 19.2, 27.5}}.Record();
    trace.packets.front().size = Bytes::Of(50);
    trace.packets.front().delay = Duration::Microseconds(40400);
    RemoveStalls(trace, BitRate::BitsPerSecond(1000000));
    EXPECT_NEAR(LeastPropagation(trace, BitRate::BitsPerSecond(1000000)).ToSeconds(), 0.04, 0.0001);
}

// From 2.1 to 2.45 s more is sent than the link carries, so that the buffer is never empty.
TEST(Propagation, IsUnknownWhereTheBufferWasNeverSeenEmpty)
{
    PacketTrace trace = StalledRecord{12e6, {}}.Record();
    EXPECT_TRUE(ShowsPropagation(trace, BusyRate(trace)));
    const auto isOutside = [](const TracedPacket& packet)
    {
        const double sent = (packet.sent - Instant()).ToSeconds();
        return sent < 2.1 || sent > 2.45;
    };
    trace.packets.erase(std::remove_if(trace.packets.begin(), trace.packets.end(), isOutside),
                        trace.packets.end());
    FinishTrace(trace);
    EXPECT_FALSE(ShowsPropagation(trace, BusyRate(trace)));
}

} // namespace
} // namespace geotrain
