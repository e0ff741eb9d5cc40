// SPDX-License-Identifier: GPL-2.0-only
// Tests a queue that empties at a byte per nanosecond, unless a test says otherwise, and the
// acknowledgements 10 us later.
#include "analytic/pair-queue.h"
#include "analytic/unacknowledged-trains.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace geotrain
{
namespace
{

/// Writes down what leaves, and hands it on to UnacknowledgedTrains.
struct Departures : PairQueue::Listener
{
    std::vector<std::string> heard;
    PairQueue queue{*this};
    UnacknowledgedTrains unacknowledged{queue, Duration::Nanoseconds(10000)};

    void Begins(const Train& train, Instant at) override
    {
        Note(" begins ", train, at);
        unacknowledged.Begin(train, at);
    }

    void HasLeft(const Train& train, Instant at) override
    {
        Note(" left ", train, at);
        unacknowledged.End(train, at);
    }

    void Note(const char* what, const Train& train, Instant at)
    {
        heard.push_back(std::to_string(train.message) + what + std::to_string(at.ToNanoseconds()));
    }

    /// Pushes a train that is a message by itself, of which the first `untilFirst` bytes are
    /// acknowledged first.
    void Push(std::uint32_t message, std::int64_t bytes, std::int64_t untilFirst = 0)
    {
        Train train;
        train.message = message;
        train.isFirst = train.isLast = true;
        train.bytes = train.untilLast = bytes;
        train.untilFirst = untilFirst;
        train.times.acknowledgements = untilFirst > 0 ? 1 : 0;
        queue.Push(train);
    }

    void SetRate(Instant now, double rate)
    {
        queue.SetRate(now, rate);
        unacknowledged.Predict(now);
    }
};

TEST(PairQueue, TrainsLeaveOneAfterAnother)
{
    Departures pair;
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000);
    pair.Push(2, 500);
    pair.queue.Serve(AtNs(2000));
    EXPECT_EQ(
        pair.heard,
        (std::vector<std::string>{"1 begins 0", "1 left 1000", "2 begins 1000", "2 left 1500"}));
    EXPECT_TRUE(pair.queue.Empty());
}

TEST(PairQueue, ARateThatChangesTakesTheRestWithIt)
{
    Departures pair;
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000);
    pair.SetRate(AtNs(600), 4);
    EXPECT_EQ(pair.queue.NextMark(), AtNs(600 + (1000 - 600) / 4));
    EXPECT_EQ(pair.queue.Wait(), Duration::Nanoseconds(100));
}

TEST(PairQueue, NothingLeavesBeforeItHasARate)
{
    Departures pair;
    pair.Push(1, 1000);
    pair.queue.Serve(AtNs(500));
    EXPECT_FALSE(pair.queue.Empty());
    EXPECT_EQ(pair.queue.Wait(), Duration());
}

TEST(PairQueue, NextMarkIsWhereTheNextMessageBeginsOrEnds)
{
    Departures pair;
    pair.SetRate(AtNs(0), 1);
    EXPECT_EQ(pair.queue.NextMark(), Instant::Never());
    Train part;
    part.bytes = 1000;
    part.isFirst = true;
    pair.queue.Push(part); // of a message that goes on
    part.isFirst = false;
    part.isLast = true;
    pair.queue.Push(part);
    EXPECT_EQ(pair.queue.NextMark(), AtNs(2000)); // the train's end between them is none
}

TEST(PairQueue, SomethingSmallLeavesBehindWhatWasQueuedBeforeIt)
{
    Departures pair;
    pair.queue.KeepDepartures(Duration::Nanoseconds(100000));
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000);
    pair.queue.Serve(AtNs(200));
    pair.Push(2, 1000);
    EXPECT_EQ(pair.queue.LeavesAfter(AtNs(100)), AtNs(1000)); // behind the first alone
    EXPECT_EQ(pair.queue.LeavesAfter(AtNs(300)), AtNs(2000));
    pair.queue.Serve(AtNs(5000));
    EXPECT_EQ(pair.queue.LeavesAfter(AtNs(100)), AtNs(1000)); // as it was
    EXPECT_EQ(pair.queue.LeavesAfter(AtNs(300)), AtNs(2000));
    EXPECT_EQ(pair.queue.LeavesAfter(AtNs(3000)), AtNs(3000));
}

TEST(PairQueue, ForgetsDeparturesAfterAWhile)
{
    Departures pair;
    pair.queue.KeepDepartures(Duration::Nanoseconds(1000));
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000);
    pair.queue.Serve(AtNs(5000));
    pair.Push(2, 1000);
    pair.queue.Serve(AtNs(6000)); // the first left at 1,000 ns, 5,000 ns ago
    EXPECT_EQ(pair.queue.LeavesAfter(AtNs(10)), AtNs(10));
}

TEST(UnacknowledgedTrains, AnAcknowledgementLeavesADelayAfterItsBytes)
{
    Departures pair;
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000, 200);
    EXPECT_EQ(pair.unacknowledged.Front().times.firstAcknowledged, AtNs(200 + 10000));
    EXPECT_EQ(pair.unacknowledged.Front().times.lastAcknowledged, AtNs(1000 + 10000));
}

TEST(UnacknowledgedTrains, AChangedRateMovesWhatHasNotLeft)
{
    Departures pair;
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000, 200);
    pair.SetRate(AtNs(600), 4);
    EXPECT_EQ(pair.unacknowledged.Front().times.firstAcknowledged, AtNs(200 + 10000));
    EXPECT_EQ(pair.unacknowledged.Front().times.lastAcknowledged, AtNs(700 + 10000));
}

TEST(UnacknowledgedTrains, ATrainWithoutAnAcknowledgementIsNotWaitedFor)
{
    Departures pair;
    pair.SetRate(AtNs(0), 1);
    pair.Push(1, 1000);
    pair.Push(2, 1000, 1000);
    EXPECT_TRUE(pair.unacknowledged.Empty());
    pair.queue.Serve(AtNs(1500));
    EXPECT_EQ(pair.unacknowledged.PopFront().times.firstAcknowledged, AtNs(2000 + 10000));
    pair.SetRate(AtNs(1600), 2); // the train that leaves is acknowledged already
    pair.queue.Serve(AtNs(3000));
    EXPECT_TRUE(pair.unacknowledged.Empty());
}

} // namespace
} // namespace geotrain
