// SPDX-License-Identifier: GPL-2.0-only
// Cross traffic of connections: where they begin and end, and that they leave room to others.
#include "path-learning/path-cell.h"
#include "path-learning/yielding-traffic.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

// A connection takes a third of 9 Mbit/s. 3.6 Mbit/s are one, 6.6 a second one, and at 3 the older
// one has ended. A bin of 0.1 s at 3.6, 6.6 and 3 Mbit/s has 45,000, 82,500 and 37,500 bytes.
TEST(TransfersOf, BeginWhereASeriesRisesAndTheOldestEndsWhereItFalls)
{
    CrossTrafficSeries series;
    series.bin = Duration::Milliseconds(100);
    series.bitsPerSecond = {0, 3.6e6, 6.6e6, 3e6, 0};
    const auto transfers = TransfersOf(series, BitRate::BitsPerSecond(9000000));
    ASSERT_EQ(transfers.size(), 2u);
    EXPECT_EQ(transfers[0].start, 100000000);
    EXPECT_NEAR(transfers[0].bytes, 45000 + 82500 / 2.0, 1e-6);
    EXPECT_EQ(transfers[1].start, 200000000);
    EXPECT_NEAR(transfers[1].bytes, 82500 / 2.0 + 37500, 1e-6);
}

// A damaged model file may say any rate.
TEST(TransfersOf, AreFewWhateverTheSeries)
{
    CrossTrafficSeries series;
    series.bin = Duration::Milliseconds(100);
    series.bitsPerSecond = {1e14};
    EXPECT_LE(TransfersOf(series, BitRate::BitsPerSecond(1)).size(), 16u);
}

PathParameters
HalfTakenPath()
{
    PathParameters path;
    path.rate = BitRate::BitsPerSecond(8000000); // a packet of 1,000 bytes a millisecond
    path.propagation = Duration::Milliseconds(20);
    path.buffer = Bytes::Of(40000);
    path.crossTraffic.bin = Duration::Milliseconds(1000);
    path.crossTraffic.bitsPerSecond.assign(20, 4e6);
    path.crossTraffic.yields = true;
    return path;
}

/// Returns the share of the packets lost that are sent at a share of the rate for 20 s.
double
LossOf(const PathParameters& path, double share)
{
    PathCell cell(path);
    int lost = 0;
    const int packets = static_cast<int>(20000 * share);
    for (int i = 0; i < packets; ++i)
    {
        const Instant sent = Instant() + Duration::Seconds(0.001 * i / share);
        lost += cell.Offer(sent, Bytes::Of(1000)) ? 0 : 1;
    }
    return static_cast<double>(lost) / packets;
}

// Who sends at the whole rate leaves no more than two packets of 1,500 bytes per round trip of 80 ms
// and half of a full buffer to each of two connections: 2 x 2 x 1.5 / 80 = 7.5 % of the rate, and
// less than twice that with the growth between losses. Whoever doesn't yield takes its half: of
// 1.5 times the rate a third is lost.
TEST(YieldingTraffic, LeavesTheRateToWhoTakesItAndAReplayDoesNot)
{
    PathParameters path = HalfTakenPath();
    EXPECT_LT(LossOf(path, 1), 0.15);
    path.crossTraffic.yields = false;
    EXPECT_GT(LossOf(path, 1), 0.3);
}

// At 0.6 of the rate there is room for 0.4. Connections that ask for more fill the buffer, and lose
// as often as the packets beside them: a few in a hundred.
TEST(YieldingTraffic, FillsWhatIsLeft)
{
    const PathParameters path = HalfTakenPath();
    const double loss = LossOf(path, 0.6);
    EXPECT_GT(loss, 0);
    EXPECT_LT(loss, 0.05);
}

// A transfer passes alone at 8 Mbit/s: 250 kB take 0.25 s at least, and slow start from 10
// packets of 1,500 bytes in round trips of 40 ms reaches the rate in two of them.
TEST(YieldingTraffic, SendsAllBytesOfATransferAndNoMore)
{
    PathParameters path = HalfTakenPath();
    path.buffer = Bytes::Of(1000000);
    path.crossTraffic.bitsPerSecond = {2e6, 0, 0};
    YieldingTraffic traffic(path.crossTraffic, path);
    FifoBuffer buffer(path.rate, path.buffer);
    traffic.Advance(240000000, buffer);
    EXPECT_GT(buffer.StayOf(0), 0);
    traffic.Advance(400000000, buffer);
    EXPECT_EQ(buffer.StayOf(0), 0);
}

} // namespace
} // namespace geotrain
