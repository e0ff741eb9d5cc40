// SPDX-License-Identifier: GPL-2.0-only
// The rate of a path whose cross traffic never leaves all of it to the recorded packets.
#include "learned-path/model/ibox-estimate.h"
#include "learned-path/model/rate-by-dispersion.h"
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
TEST(RateByDispersion, IsThatOfTheFifoWhateverCrossTrafficTakes)
{
    const PacketTrace trace = PairsThroughFifo(0.5);
    const BitRate peak = EstimatePath(trace).rate;
    EXPECT_LT(peak.ToBitsPerSecond(), 7000000);
    const auto rate = RateByDispersion(trace, peak);
    ASSERT_TRUE(rate);
    EXPECT_NEAR(static_cast<double>(rate->ToBitsPerSecond()), 8e6, 8e3);
}

// What delivers all that came in 7 ms at once spaces packets by nothing, or by 7 ms.
TEST(RateByDispersion, IsNotThatOfBursts)
{
    PacketTrace trace = PairsThroughFifo(0.5);
    for (TracedPacket& packet : trace.packets)
    {
        const std::int64_t arrival = (packet.sent + *packet.delay - Instant()).ToNanoseconds();
        const std::int64_t delivery = (arrival + 6999999) / 7000000 * 7000000;
        packet.delay = Instant::FromNanoseconds(delivery) - packet.sent;
    }
    const BitRate peak = EstimatePath(trace).rate;
    const auto rate = RateByDispersion(trace, peak);
    EXPECT_LT(rate.value_or(peak).ToBitsPerSecond(), 8800000);
}

TEST(RateByDispersion, OfFewPacketsIsNone)
{
    PacketTrace trace = PairsThroughFifo(0.5);
    trace.packets.resize(40);
    EXPECT_FALSE(RateByDispersion(trace, BitRate::BitsPerSecond(4000000)));
}

} // namespace
} // namespace geotrain
