// SPDX-License-Identifier: GPL-2.0-only
// Tests a receiver that gets segments of 1,000 bytes and acknowledges every second one (RFC 5681,
// section 4.2).
#include "analytic/ack-clock.h"
#include "analytic/receiver.h"
#include "instants.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(StockReceiver, AcknowledgesEverySecondSegmentAndHoldsNone)
{
    StockReceiver receiver(1000);
    const Reception odd = receiver.Receive(5000, AtMs(1), AtMs(2));
    EXPECT_EQ(odd.train.acknowledgements, 2);
    EXPECT_EQ(odd.train.bytes, 5000);
    EXPECT_EQ(odd.untilFirst, 2000);
    EXPECT_EQ(odd.afterLast, 0);
    EXPECT_EQ(receiver.Receive(700, AtMs(1), AtMs(2)).train.acknowledgements, 1);
    EXPECT_EQ(receiver.LongestHold(), Duration());
}

TEST(DelayingReceiver, TheFirstSegmentIsAcknowledgedAtOnceSinceTheSynCounts)
{
    DelayingReceiver receiver(1000);
    const Reception first = receiver.Receive(1000, AtMs(0), AtMs(0));
    EXPECT_EQ(first.train.acknowledgements, 1);
    EXPECT_EQ(first.train.bytes, 1000);
    EXPECT_EQ(receiver.Held(), 0);
}

TEST(DelayingReceiver, TheLastOfAnOddNumberWaitsForTheNextTrain)
{
    DelayingReceiver receiver(1000);
    receiver.Reset(false);
    const Reception odd =
        receiver.Receive(2500, AtMs(0), AtMs(3)); // three segments, the last of 500
    EXPECT_EQ(odd.train.acknowledgements, 1);
    EXPECT_EQ(odd.train.bytes, 2000);
    EXPECT_EQ(odd.afterLast, 500);
    EXPECT_EQ(receiver.LongestHold(), Duration::Milliseconds(40));
    const Reception next = receiver.Receive(1000, AtMs(10), AtMs(10));
    EXPECT_EQ(next.train.bytes, 1500);
    EXPECT_EQ(next.untilFirst, 1000);
    EXPECT_EQ(next.train.held, Duration::Milliseconds(10 - 3));
    EXPECT_EQ(receiver.Held(), 0);
}

TEST(DelayingReceiver, ReleasesWhatItHasHeldForMoreThanFortyMilliseconds)
{
    DelayingReceiver receiver(1000);
    receiver.Reset(false);
    receiver.Receive(1000, AtMs(0), AtMs(0));
    EXPECT_EQ(receiver.ReleaseHeld(AtMs(40)), 0);
    EXPECT_EQ(receiver.ReleaseHeld(AtMs(41)), 1000);
    EXPECT_EQ(receiver.ReleaseHeld(AtMs(100)), 0);
}

TEST(DelayingReceiver, AcknowledgesEveryByteOfTrainsOfAnyLengthOnce)
{
    DelayingReceiver receiver(1000);
    std::int64_t sent = 0;
    std::int64_t acknowledged = 0;
    for (std::int64_t bytes = 1; bytes < 20000; bytes += 777)
    {
        sent += bytes;
        acknowledged += receiver.Receive(bytes, AtMs(0), AtMs(0)).train.bytes;
        EXPECT_EQ(acknowledged + receiver.Held(), sent) << bytes;
    }
}

TEST(AckClock, SpreadsWhatIsSentOverTheTimeOfItsAcknowledgements)
{
    AckClock clock{AtMs(10), AtMs(30), 1000, 250};
    EXPECT_EQ(clock.At(0), AtMs(15));
    EXPECT_EQ(clock.At(250), AtMs(20));
    EXPECT_EQ(clock.At(5000), AtMs(30));
    EXPECT_EQ((AckClock{AtMs(10), AtMs(30), 0, 0}.At(100)), AtMs(10));
}

} // namespace
} // namespace geotrain
