// SPDX-License-Identifier: GPL-2.0-only
// iBoxNet's estimate on packets that a path of known parameters carried.
#include "path-learning/ibox-estimate.h"
#include "path-learning/path-cell.h"
#include "path-learning/path-model.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{
namespace
{

/// Sends packets of 1,000 bytes over `path`: for each rate in bytes/s one second of them.
PacketTrace
TraceOver(const PathParameters& path, const std::vector<double>& bytesPerSecond)
{
    PathCell cell(path);
    PacketTrace trace;
    trace.name = "known";
    for (std::size_t second = 0; second < bytesPerSecond.size(); ++second)
    {
        const auto packets = static_cast<std::size_t>(bytesPerSecond[second] / 1000);
        for (std::size_t i = 0; i < packets; ++i)
        {
            TracedPacket packet;
            packet.sent = Instant() +
                          Duration::Seconds(static_cast<double>(second) +
                                            static_cast<double>(i) / static_cast<double>(packets));
            packet.size = Bytes::Of(1000);
            packet.delay = cell.Offer(packet.sent, packet.size);
            if (packet.delay)
            {
                packet.delay = *packet.delay + path.propagation;
            }
            trace.packets.push_back(packet);
        }
    }
    return trace;
}

PathParameters
KnownPath()
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000); // 1,000 packets a second
    path.propagation = Duration::Milliseconds(30);
    path.buffer = Bytes::Of(100000);
    return path;
}

// The sender offers half, then one and a half times the rate, so that the buffer is empty, full and
// overflowing. Times are rounded to nanoseconds.
TEST(IBoxEstimate, FindsRatePropagationAndBufferOfAPathThatWasFilled)
{
    const PathParameters path = EstimatePath(TraceOver(KnownPath(), {5e5, 15e5, 15e5, 5e5}));
    EXPECT_NEAR(static_cast<double>(path.rate.ToBitsPerSecond()), 8e6, 8e6 * 1e-4);
    EXPECT_NEAR(path.propagation.ToSeconds(), 0.03, 1e-6);
    EXPECT_NEAR(static_cast<double>(path.buffer.Count()), 100000, 1000);
    EXPECT_NEAR(path.crossTraffic.MeanBitsPerSecond(), 0, 8e6 * 1e-3);
}

// The records keep the buffer busy for less than a second, and nothing is lost: a burst of 100
// packets at ten times the rate leaves it in 0.1 s. At the rate's own pace, one packet of 100 is
// the granularity.
TEST(IBoxEstimate, FindsTheRateOfAPathThatWasBusyForShortTimes)
{
    PathParameters truth = KnownPath();
    PathCell cell(truth);
    PacketTrace trace;
    trace.name = "bursts";
    for (int i = 0; i < 500; ++i)
    {
        TracedPacket packet;
        packet.sent = Instant() + Duration::Microseconds((i / 100) * 1000000 + (i % 100) * 100);
        packet.size = Bytes::Of(1000);
        packet.delay = *cell.Offer(packet.sent, packet.size) + truth.propagation;
        trace.packets.push_back(packet);
    }
    const PathParameters path = EstimatePath(trace);
    EXPECT_NEAR(static_cast<double>(path.rate.ToBitsPerSecond()), 8e6, 8e4);
    EXPECT_NEAR(path.crossTraffic.MeanBitsPerSecond(), 0, 8e4);
    // Nothing was lost: a second of the rate at least.
    EXPECT_GE(path.buffer.Count(), 990000);
}

// With the true rate, bytes are conserved: 30 % of cross traffic is seen while the buffer is busy,
// within a packet per bin: 8,000 bit per 0.1 s.
TEST(IBoxEstimate, FindsCrossTrafficWhileTheBufferIsBusy)
{
    PathParameters truth = KnownPath();
    truth.crossTraffic = {Duration::Milliseconds(1000), {2.4e6, 0, 2.4e6, 1.2e6}};
    const PacketTrace trace = TraceOver(truth, {9e5, 12e5, 9e5, 9e5});
    const BusyCrossTraffic cross = EstimateCrossTraffic(trace, truth);
    std::size_t known = 0;
    for (std::size_t bin = 0; bin < cross.isKnown.size(); ++bin)
    {
        // A bin at the border of two seconds may hold an interval of both.
        if (cross.isKnown[bin] && bin % 10 != 0)
        {
            EXPECT_NEAR(
                cross.series.bitsPerSecond[bin], truth.crossTraffic.bitsPerSecond[bin / 10], 80000)
                << bin;
            ++known;
        }
    }
    EXPECT_GE(known, 30u);
}

TEST(IBoxEstimate, InventsNoCrossTrafficWherePacketsNeverWait)
{
    const PacketTrace trace = TraceOver(KnownPath(), {2e5, 2e5});
    EXPECT_TRUE(EstimateCrossTraffic(trace, KnownPath()).series.bitsPerSecond.empty());
}

/// Returns KnownPath() with packets of others at random times, which take 0.3 of the rate for 10 s.
PathParameters
PathWithPackets(double bytes)
{
    RandomStream stream(1, "test", "others");
    PathParameters path = KnownPath();
    path.crossTraffic.bin = Duration::Milliseconds(1);
    path.crossTraffic.bitsPerSecond.assign(10000, 0);
    const double gap = bytes / (0.3 * 1e6); // s
    for (double at = 0; at < 10; at -= gap * std::log(stream.Uniform()))
    {
        path.crossTraffic.bitsPerSecond[static_cast<std::size_t>(at * 1000)] += 8000 * bytes;
    }
    return path;
}

// Packets of n times the recorded ones' size give the bytes of a second a variance of n times a
// packet's size times the mean: 1.5 and 9 are below ten. Files of half a second of the rate, every
// other second, give it half of their size.
TEST(IBoxEstimate, TakesFilesForConnectionsAndPacketsAtRandomTimesForNone)
{
    const std::vector<double> load(10, 9e5);
    EXPECT_FALSE(EstimatePath(TraceOver(PathWithPackets(1500), load)).crossTraffic.yields);
    EXPECT_FALSE(EstimatePath(TraceOver(PathWithPackets(9000), load)).crossTraffic.yields);
    PathParameters truth = KnownPath();
    truth.crossTraffic = {Duration::Milliseconds(1000), {4e6, 0}};
    EXPECT_TRUE(EstimatePath(TraceOver(truth, load)).crossTraffic.yields);
}

TEST(PathErrors, AreNothingForThePathThatCarriedThePackets)
{
    PathParameters truth = KnownPath();
    truth.crossTraffic = {Duration::Milliseconds(1000), {2.4e6, 0}};
    const PathErrors errors = ErrorsOn(truth, TraceOver(truth, {9e5, 15e5, 5e5}));
    EXPECT_EQ(errors.throughput, 0);
    EXPECT_EQ(errors.delayMean, 0);
    EXPECT_EQ(errors.delayP95, 0);
    EXPECT_EQ(errors.loss, 0);
}

// An overflowing buffer loses over 10 % of either half's packets, so that a path without losses
// would be wrong by more than the 2 points that are allowed.
TEST(PathErrors, OfOneHalfByTheOtherAreSmallWherePacketsAreLost)
{
    const PacketTrace trace =
        TraceOver(KnownPath(), {5e5, 15e5, 12e5, 8e5, 13e5, 5e5, 16e5, 9e5, 14e5, 11e5});
    for (const bool isOfSecond : {false, true})
    {
        const PacketTrace other = HalfOf(trace, !isOfSecond);
        const auto lost = std::count_if(other.packets.begin(),
                                        other.packets.end(),
                                        [](const TracedPacket& packet) { return !packet.delay; });
        EXPECT_GT(static_cast<double>(lost), 0.1 * static_cast<double>(other.packets.size()));
        const PathErrors errors = ErrorsOn(EstimatePath(HalfOf(trace, isOfSecond)), other);
        EXPECT_LT(errors.delayP95, 0.1);
        EXPECT_LT(errors.loss, 0.02);
    }
}

// Half of the rate at a load that it can carry alone: half arrives, so that half is lost.
TEST(PathErrors, AreThoseOfAPathOfHalfTheRate)
{
    PathParameters half = KnownPath();
    half.rate = BitRate::BitsPerSecond(4000000);
    const PathErrors errors =
        ErrorsOn(half, TraceOver(KnownPath(), {1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6}));
    EXPECT_NEAR(errors.throughput, 0.5, 0.01);
    EXPECT_NEAR(errors.loss, 0.5, 0.01);
    EXPECT_GT(errors.delayMean, 1);
}

} // namespace
} // namespace geotrain
