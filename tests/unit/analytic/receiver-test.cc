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

/// A receiver whose first segments, 16 of them, have come and been acknowledged one by one. Its
/// window of 100 segments would allow 50, the first one of 64 KiB 32.
class ReceiverTest : public testing::Test
{
  protected:
    ReceiverTest()
    {
        beginning = receiver.Receive(16000, AtMs(0), AtMs(1), false);
    }

    Receiver receiver{1000, 100000, Duration::Milliseconds(20)};
    Reception beginning;
};

TEST_F(ReceiverTest, TheFirstSegmentsAreAcknowledgedOneByOne)
{
    EXPECT_EQ(beginning.train.acknowledgements, 16);
    EXPECT_EQ(beginning.untilFirst, 1000);
    const Reception next = receiver.Receive(16000, AtMs(20), AtMs(21), false);
    EXPECT_EQ(next.train.acknowledgements, 16 / 2);
    EXPECT_EQ(next.untilFirst, 2000);
}

TEST_F(ReceiverTest, SegmentsAreAcknowledgedOneByOneAfterAPauseOfMoreThanATimeout)
{
    receiver.ResumeAfter(Duration::Milliseconds(20 + 200)); // RTO = R + max(2 R, 200 ms)
    EXPECT_EQ(receiver.Receive(4000, AtMs(0), AtMs(0), false).train.acknowledgements, 2);
    receiver.ResumeAfter(Duration::Milliseconds(20 + 201));
    EXPECT_EQ(receiver.Receive(4000, AtMs(0), AtMs(0), false).train.acknowledgements, 4);
}

TEST(Receiver, ASmallWindowHasFewSegmentsAcknowledgedOneByOne)
{
    Receiver receiver(1000, 6000, Duration::Milliseconds(20));
    // 6,000 / (2 x 1,000) = 3 of 5; the other two are a pair.
    EXPECT_EQ(receiver.Receive(5000, AtMs(0), AtMs(0), false).train.acknowledgements, 3 + 1);
}

TEST_F(ReceiverTest, TheLastOfAnOddNumberWaitsForTheNextTrain)
{
    const Reception odd =
        receiver.Receive(2500, AtMs(0), AtMs(3), false); // three segments, the last of 500
    EXPECT_EQ(odd.train.acknowledgements, 1);
    EXPECT_EQ(odd.train.bytes, 2000);
    EXPECT_EQ(odd.afterLast, 500);
    EXPECT_EQ(receiver.LongestHold(), Duration::Milliseconds(40));
    const Reception next = receiver.Receive(1000, AtMs(10), AtMs(10), false);
    EXPECT_EQ(next.train.bytes, 1500);
    EXPECT_EQ(next.untilFirst, 1000);
    EXPECT_EQ(next.train.held, Duration::Milliseconds(10 - 3));
    EXPECT_EQ(receiver.Held(), 0);
}

TEST_F(ReceiverTest, TheLastOfAMessageDoesNotWait)
{
    const Reception odd = receiver.Receive(2500, AtMs(0), AtMs(3), true);
    EXPECT_EQ(odd.train.acknowledgements, 2);
    EXPECT_EQ(odd.train.bytes, 2500);
    EXPECT_EQ(odd.afterLast, 0);
    EXPECT_EQ(receiver.Receive(4000, AtMs(4), AtMs(5), true).train.acknowledgements, 2);
    EXPECT_EQ(receiver.Held(), 0);
}

TEST_F(ReceiverTest, ReleasesWhatItHasHeldForMoreThanFortyMilliseconds)
{
    receiver.Receive(1000, AtMs(0), AtMs(0), false);
    EXPECT_EQ(receiver.ReleaseHeld(AtMs(40)), 0);
    EXPECT_EQ(receiver.ReleaseHeld(AtMs(41)), 1000);
    EXPECT_EQ(receiver.ReleaseHeld(AtMs(100)), 0);
}

TEST_F(ReceiverTest, AcknowledgesEveryByteOfTrainsOfAnyLengthOnce)
{
    std::int64_t sent = 0;
    std::int64_t acknowledged = 0;
    for (std::int64_t bytes = 1; bytes < 20000; bytes += 777)
    {
        sent += bytes;
        acknowledged += receiver.Receive(bytes, AtMs(0), AtMs(0), bytes % 3 == 0).train.bytes;
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
