// SPDX-License-Identifier: GPL-2.0-only
// Holds recovery against RFC 6937 by hand: 100 segments of 1,000 bytes are not acknowledged, and the window will be 70.
#include "analytic/recovery.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

AcknowledgedTrain
AckOf(std::int64_t sentUntil, std::int64_t bytes, std::int64_t lost = 0)
{
    AcknowledgedTrain train;
    train.sentUntil = sentUntil;
    train.bytes = bytes;
    train.lost = lost;
    train.acknowledgements = bytes / 1000;
    return train;
}

AcknowledgedTrain
RepairOf(std::int64_t sentUntil, std::int64_t bytes)
{
    AcknowledgedTrain train = AckOf(sentUntil, bytes);
    train.isRepair = true;
    return train;
}

/// Returns a recovery of 100 segments, of which the first ten are lost.
Recovery
Begun()
{
    Recovery recovery(1000);
    recovery.Miss(AckOf(10000, 0, 10000));
    recovery.Begin(100000, 100000, 90000, 70000);
    return recovery;
}

TEST(Recovery, SendsAtLeastOneSegmentAgainAtOnce)
{
    EXPECT_EQ(Begun().Window(), 90000 + 1000);
}

// Section 3: with more on the way than the threshold, 0.7 bytes go for each that is delivered.
TEST(Recovery, SendsInProportionToWhatIsDelivered)
{
    Recovery recovery = Begun();
    recovery.NoteSent(1000);
    recovery.Acknowledge(AckOf(20000, 10000), 81000);
    EXPECT_EQ(recovery.Window(), 81000 + 7000 - 1000);
}

// Below the threshold what is delivered goes again, and a segment more for each acknowledgement
// that moves on the first missing byte.
TEST(Recovery, SlowStartsBelowTheThreshold)
{
    Recovery recovery = Begun();
    recovery.NoteSent(5000);
    recovery.Acknowledge(AckOf(20000, 4000), 30000);
    EXPECT_EQ(recovery.Window(), 30000 + 4000);
    recovery.NoteSent(4000);
    recovery.Acknowledge(RepairOf(10000, 2000), 30000);
    EXPECT_EQ(recovery.Window(), 30000 + 2000 + 2 * 1000);
    recovery.Acknowledge(AckOf(40000, 60000), 69000);
    EXPECT_EQ(recovery.Window(), 70000); // never above it
}

TEST(Recovery, EndsWhenAllThatWasSentBeforeItHasCome)
{
    Recovery recovery = Begun();
    recovery.Acknowledge(AckOf(100000, 90000), 10000);
    EXPECT_TRUE(recovery.IsActive());
    EXPECT_EQ(recovery.InOrderUntil(), 0);
    recovery.Miss(AckOf(110000, 0, 5000)); // of what was sent since
    recovery.Acknowledge(RepairOf(10000, 9000), 1000);
    EXPECT_TRUE(recovery.IsActive());
    recovery.Acknowledge(RepairOf(10000, 1000), 0);
    EXPECT_FALSE(recovery.IsActive());
    EXPECT_EQ(recovery.InOrderUntil(), 105000);
}

TEST(Recovery, SlowStartDecidesAfterATimeout)
{
    Recovery recovery = Begun();
    EXPECT_TRUE(recovery.IsProportional());
    recovery.TimeOut();
    recovery.TimeOut();
    EXPECT_TRUE(recovery.IsActive());
    EXPECT_FALSE(recovery.IsProportional());
    EXPECT_EQ(recovery.TimeoutsInARow(), 2);
    recovery.Acknowledge(RepairOf(10000, 1000), 0);
    EXPECT_EQ(recovery.TimeoutsInARow(), 0);
}

} // namespace
} // namespace geotrain
