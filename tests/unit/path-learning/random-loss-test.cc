// SPDX-License-Identifier: GPL-2.0-only
// Losses at random, as on a radio link, beside those of a full buffer.
#include "path-learning/ibox-estimate.h"
#include "path-learning/path-cell.h"
#include "path-learning/path-model.h"
#include "path-learning/random-loss.h"
#include "units/random-stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geotrain
{
namespace
{

/// Returns 20 s of packets of 1,000 bytes over a FIFO of 8 Mbit/s, 30 ms and 20 kB. Second by second the
/// sender offers `load` or 0.3 of the rate, with gaps of half to one and a half of the mean; the wire loses
/// `loss` of what leaves the buffer.
PacketTrace
TraceWith(double load, double loss)
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(30);
    path.buffer = Bytes::Of(20000);
    PathCell cell(path);
    RandomStream gaps(1, "test", "gaps");
    RandomStream losses(1, "test", "losses");
    PacketTrace trace;
    trace.name = "lossy";
    double at = 0;
    while (at < 20)
    {
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(std::llround(1e9 * at));
        packet.size = Bytes::Of(1000);
        const auto stay = cell.Offer(packet.sent, packet.size);
        const bool isLost = losses.Uniform() < loss;
        if (stay && !isLost)
        {
            packet.delay = *stay + path.propagation;
        }
        trace.packets.push_back(packet);
        const double share = static_cast<int>(at) % 2 == 0 ? load : 0.3;
        at += 1e-3 / share * (0.5 + gaps.Uniform());
    }
    return trace;
}

// Over 10,000 packets the standard error of a share of 0.1 is 0.003.
TEST(RandomLoss, IsFoundOfAPathThatNeverOverflows)
{
    const RandomLoss random = RandomLossOf(TraceWith(0.9, 0.1));
    EXPECT_NEAR(random.share, 0.1, 0.01);
    for (const TracedPacket& packet : random.trace.packets)
    {
        EXPECT_TRUE(packet.delay);
    }
}

// At one and a half times the rate a third of every other second's packets is lost, all by a full buffer.
TEST(RandomLoss, IsNoneWhereAFullBufferDrops)
{
    const RandomLoss random = RandomLossOf(TraceWith(1.5, 0));
    EXPECT_EQ(random.share, 0);
}

// The third that the full buffer drops stays lost.
TEST(RandomLoss, IsFoundBesideAFullBuffer)
{
    const PacketTrace trace = TraceWith(1.5, 0.05);
    const RandomLoss random = RandomLossOf(trace);
    EXPECT_NEAR(random.share, 0.05, 0.015);
    double lost = 0;
    for (const TracedPacket& packet : random.trace.packets)
    {
        lost += packet.delay ? 0 : 1;
    }
    const double inBusySeconds = static_cast<double>(trace.packets.size()) * 1.5 / 1.8;
    EXPECT_NEAR(lost / inBusySeconds, 1.0 / 3, 0.05);
}

// Without losses at random the estimate took the longest wait for a full buffer, and lost a third of all.
TEST(RandomLoss, MakesAnEstimateThatLosesAsMany)
{
    const PacketTrace trace = TraceWith(0.9, 0.1);
    const PathParameters path = EstimatePath(trace);
    EXPECT_NEAR(path.lossShare, 0.1, 0.01);
    const PathErrors errors = ErrorsOn(path, trace);
    EXPECT_LT(errors.loss, 0.02);
    EXPECT_LT(errors.delayP95, 0.1);
    EXPECT_LT(errors.throughput, 0.05);
}

// 5 % of 100 Mbit/s with gaps of half to one and a half of the mean: nothing waits, so that the path is at
// least as fast as the shortest gap, twice the mean load. At the rate that was sent packets would queue.
TEST(IBoxEstimate, OfPacketsThatNeverWaitDoesNotMakeThemWait)
{
    RandomStream gaps(1, "test", "gaps");
    PacketTrace trace;
    trace.name = "idle";
    double at = 0;
    for (int i = 0; i < 4000; ++i)
    {
        TracedPacket packet;
        packet.sent = Instant::FromNanoseconds(std::llround(1e9 * at));
        packet.size = Bytes::Of(1000);
        packet.delay = Duration::Microseconds(20080);
        trace.packets.push_back(packet);
        at += 1.6e-3 * (0.5 + gaps.Uniform());
    }
    const PathParameters path = EstimatePath(trace);
    EXPECT_GT(path.rate.ToBitsPerSecond(), 9900000);
    const PathErrors errors = ErrorsOn(path, trace);
    EXPECT_LT(errors.delayMean, 1e-3);
    EXPECT_LT(errors.delayP95, 1e-3);
}

// The second half of a record begins with 10 ms in the buffer, which a sender at the rate's own pace keeps.
TEST(PathErrors, OfARecordThatBeginsWithAFullBufferAreNothing)
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000);
    path.propagation = Duration::Milliseconds(30);
    path.buffer = Bytes::Of(100000);
    PacketTrace trace;
    trace.name = "late";
    for (int i = 0; i < 1000; ++i)
    {
        TracedPacket packet;
        packet.sent = Instant() + Duration::Milliseconds(i);
        packet.size = Bytes::Of(1000);
        packet.delay = Duration::Milliseconds(41);
        trace.packets.push_back(packet);
    }
    EXPECT_NEAR(ErrorsOn(path, trace).delayMean, 0, 1e-6);
    path.lossShare = 0.5;
    EXPECT_NEAR(ErrorsOn(path, trace).loss, 0.5, 0.05);
}

} // namespace
} // namespace geotrain
