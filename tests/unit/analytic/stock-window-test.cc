// SPDX-License-Identifier: GPL-2.0-only
// Tests what a train of acknowledgements adds to a window by the rules of ns-3's TcpCubic. Segments
// have 1,000 bytes.
#include "analytic/stock-window.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

/// Acknowledged from `first` on for `length`, a round trip after it was sent; in milliseconds.
AcknowledgedTrain
AcknowledgedOver(std::int64_t bytes, double first, double length, double roundTrip)
{
    AcknowledgedTrain train;
    train.bytes = bytes;
    train.acknowledgements = std::max<std::int64_t>(1, bytes / 2000);
    train.firstSent = AtMs(first - roundTrip);
    train.lastSent = AtMs(first + length - roundTrip);
    train.firstAcknowledged = AtMs(first);
    train.lastAcknowledged = AtMs(first + length);
    return train;
}

TEST(StockWindow, SlowStartAddsWhatIsAcknowledged)
{
    StockWindow window({10000, 1000000, 0, 1000});
    EXPECT_EQ(window.Size(), 10000);
    window.Acknowledge(AcknowledgedOver(10000, 40, 0.1, 40), 10000, 0, true);
    EXPECT_EQ(window.Size(), 20000);
    window.Acknowledge(AcknowledgedOver(20000, 80, 0.2, 40), 30000, 0, true);
    EXPECT_EQ(window.Size(), 40000);
}

TEST(StockWindow, AcknowledgementsForARoundTripEndSlowStart)
{
    StockWindow window({100000, 1000000, 0, 1000});
    window.Acknowledge(AcknowledgedOver(100000, 10, 12, 10), 100000, 0, true);
    // 10 of 12 ms in slow start, then a segment for 20: 100,000 + 83,333 + 16,667 / 20, in whole
    // segments.
    EXPECT_EQ(window.Size(), 184000);
}

TEST(StockWindow, AcknowledgementsWithAPauseDoNot)
{
    StockWindow window({100000, 1000000, 0, 1000});
    AcknowledgedTrain train = AcknowledgedOver(100000, 10, 12, 10);
    train.pause = Duration::Milliseconds(3);
    window.Acknowledge(train, 100000, 0, true);
    EXPECT_EQ(window.Size(), 200000);
}

TEST(StockWindow, ADelayThatHasDoubledEndsSlowStart)
{
    StockWindow window({100000, 1000000, 0, 1000});
    window.Acknowledge(AcknowledgedOver(100000, 10, 1, 10), 100000, 0, true);
    window.Acknowledge(AcknowledgedOver(100000, 40, 1, 25), 200000, 0, true);
    EXPECT_EQ(window.Size(), 300000); // the round's first samples, smoothed, are still below 20 ms
    window.Acknowledge(AcknowledgedOver(100000, 80, 1, 25), 300000, 0, true);
    // Eight samples are needed: 9 of the 50 acknowledgements come in slow start. 300,000 + 18,000 +
    // 82,000 / 20.
    EXPECT_EQ(window.Size(), 322000);
}

TEST(StockWindow, CubicGrowsFasterLongAfterSlowStart)
{
    StockWindow window({100000, 1000000, 0, 1000});
    window.Acknowledge(AcknowledgedOver(100000, 10, 12, 10), 100000, 0, true);
    window.Acknowledge(AcknowledgedOver(60000, 5010, 1, 10), 160000, 0, true);
    // 0.4 (5.01 s)^3 = 50 segments above the 183 at the end of slow start: one for each 184 / (233
    // - 184) = 3.
    EXPECT_EQ(window.Size(), 204000);
}

TEST(StockWindow, NoMoreThanTheLimitIsInFlight)
{
    StockWindow window({10000, 15500, 0, 1000});
    window.Acknowledge(AcknowledgedOver(10000, 40, 0.1, 40), 10000, 0, true);
    EXPECT_EQ(window.Size(), 15500);
}

TEST(StockWindow, TheFirstFlightIsLimitedUntilAnAcknowledgement)
{
    StockWindow window({100000, 1000000, 65535, 1000});
    EXPECT_EQ(window.Size(), 65535);
    window.Acknowledge(AcknowledgedOver(65000, 40, 0.1, 40), 65000, 0, true);
    EXPECT_EQ(window.Size(), 165000);
}

// Slow start grows a segment to what the loss left: 0.7 of 100,000 bytes (TcpCubic's Beta).
TEST(StockWindow, ATimeoutLeavesASegment)
{
    StockWindow window({0, 100000, 0, 1000});
    window.Reduce(1, 100000);
    const std::int64_t left = window.Size();
    EXPECT_EQ(left, 70000);
    window.Collapse();
    EXPECT_EQ(window.Size(), 1000);
    window.Acknowledge(AcknowledgedOver(1000, 40, 0.1, 40), 101000, 0, true);
    EXPECT_EQ(window.Size(), 2000);
    window.Acknowledge(AcknowledgedOver(90000, 80, 0.1, 40), 191000, 0, true);
    EXPECT_EQ(window.Size(), left);
}

} // namespace
} // namespace geotrain
