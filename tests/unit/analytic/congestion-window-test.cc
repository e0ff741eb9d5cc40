// SPDX-License-Identifier: GPL-2.0-only
// Tests how acknowledgements, pauses and pacing change a window by the rules of bulk-tcp. Segments
// have 1,000 bytes.
#include "analytic/congestion-window.h"
#include "analytic/train-length.h"
#include "instants.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Acknowledged from `first` on, a round trip after it was sent; in milliseconds.
AcknowledgedTrain
Acknowledged(std::int64_t bytes, double first, double roundTrip)
{
    AcknowledgedTrain train;
    train.bytes = bytes;
    train.acknowledgements = bytes / 2000;
    train.firstSent = AtMs(first - roundTrip);
    train.lastSent = train.firstSent;
    train.firstAcknowledged = AtMs(first);
    train.lastAcknowledged = train.firstAcknowledged;
    return train;
}

/// Makes a window whose handshake takes 40 ms.
CongestionWindow
Closed(std::int64_t initial,
       std::int64_t firstFlight = 0,
       bool isReno = false,
       std::optional<bool> hasHyStart = std::nullopt)
{
    AnalyticConnection settings;
    settings.window = Bytes::Of(1000000);
    settings.initialWindow = Bytes::Of(initial);
    settings.firstFlight = Bytes::Of(firstFlight);
    settings.segment = Bytes::Of(1000);
    settings.isReno = isReno;
    settings.hasHyStart = hasHyStart;
    settings.restartsAfterIdle = true;
    return {settings, Duration::Milliseconds(40)};
}

/// Makes a window of ten segments after the handshake.
CongestionWindow
Opened()
{
    CongestionWindow window = Closed(10000);
    window.Open(AtMs(0));
    return window;
}

/// Sends what the window allows and acknowledges it as one train.
void
GoRound(CongestionWindow& window, std::int64_t& sent, double acknowledged, double roundTrip)
{
    const std::int64_t bytes = window.Size();
    sent += bytes;
    window.NoteSent(AtMs(acknowledged - roundTrip), bytes, sent, bytes);
    window.Acknowledge(Acknowledged(bytes, acknowledged, roundTrip), sent, 0, true);
}

// RFC 9438, section 4.6: a loss leaves 0.7 of the window; RFC 5681, equation 4: a half.
TEST(CongestionWindow, ALossReducesTheWindow)
{
    for (const bool isReno : {false, true})
    {
        CongestionWindow window = Closed(100000, 0, isReno);
        window.Reduce(1, 100000);
        EXPECT_EQ(window.Size(), isReno ? 50000 : 70000);
    }
}

// Linux's tcp_cwnd_application_limited: 0.7 (200,000 + 100,000) / 2.
TEST(CongestionWindow, ALossCountsHalfOfWhatTheWindowDoesNotUse)
{
    CongestionWindow window = Closed(200000);
    window.Reduce(1, 100000);
    EXPECT_EQ(window.Size(), 140000); // the initial window is never unused
    CongestionWindow grown = Closed(10000);
    std::int64_t sent = 0;
    GoRound(grown, sent, 80, 40);
    GoRound(grown, sent, 120, 40);
    ASSERT_EQ(grown.Size(), 40000);
    sent += 20000;
    grown.NoteSent(AtMs(130), 20000, sent, 20000); // begins a window of data that isn't full
    grown.Reduce(1, 20000);
    EXPECT_EQ(grown.Size(), 21000); // 0.7 (40,000 + 20,000) / 2
}

// The share of the connections that lose nothing keeps its windows: 1 - 0.3 / 4.
TEST(CongestionWindow, OneOfFourMembersThatLosesReducesAQuarterAsMuch)
{
    CongestionWindow window = Closed(100000);
    window.Reduce(0.25, 100000);
    EXPECT_NEAR(static_cast<double>(window.Size()), 92500, 1);
}

// RFC 5681, section 3.1: a segment is left, and slow start grows it to what the loss left.
TEST(CongestionWindow, ATimeoutLeavesASegment)
{
    CongestionWindow window = Closed(100000);
    window.Reduce(1, 100000);
    window.Collapse();
    EXPECT_EQ(window.Size(), 1000);
    std::int64_t sent = 100000;
    for (const std::int64_t next : {2000, 4000, 8000})
    {
        GoRound(window, sent, 40.0 * static_cast<double>(next), 40);
        EXPECT_EQ(window.Size(), next);
    }
}

TEST(CongestionWindow, TheFirstByteWaitsForTheHandshake)
{
    EXPECT_EQ(Opened().SendsFrom(), AtMs(40));
}

TEST(CongestionWindow, SlowStartAddsWhatIsAcknowledged)
{
    CongestionWindow window = Opened();
    std::int64_t sent = 0;
    GoRound(window, sent, 80, 40);
    EXPECT_EQ(window.Size(), 20000);
    GoRound(window, sent, 120, 40);
    EXPECT_EQ(window.Size(), 40000);
}

TEST(CongestionWindow, StaysWhereItIsNotInUse)
{
    CongestionWindow window = Opened();
    window.NoteSent(AtMs(40), 4000, 4000, 4000);
    window.Acknowledge(Acknowledged(4000, 80, 40), 4000, 0, true);
    EXPECT_EQ(window.Size(), 10000);
}

TEST(CongestionWindow, SlowStartGrowsToTwiceTheMostThatWasOut)
{
    CongestionWindow window = Opened();
    std::int64_t sent = 0;
    GoRound(window, sent, 80, 40); // 20,000
    sent += 16000;
    window.NoteSent(AtMs(80), 16000, sent, 16000);
    window.Acknowledge(Acknowledged(8000, 120, 40), sent, 8000, true);
    window.Acknowledge(Acknowledged(8000, 121, 41), sent, 0, true);
    EXPECT_EQ(window.Size(), 32000);
    sent += 16000;
    window.NoteSent(AtMs(122), 16000, sent, 16000);
    window.Acknowledge(Acknowledged(16000, 162, 40), sent, 0, true);
    EXPECT_EQ(window.Size(), 32000);
}

// Eight segments are out. The first acknowledgement lets two more go while seven are out.
TEST(CongestionWindow, WhatIsNotPacedGoesWhileTheRestIsStillOut)
{
    CongestionWindow window = Closed(10000, 8000);
    window.Open(AtMs(0));
    window.NoteSent(AtMs(40), 8000, 8000, 8000);
    window.Acknowledge(Acknowledged(4000, 80, 40), 8000, 4000, true);
    EXPECT_EQ(window.Size(), 14000); // below 2 x 8,000
    window.NoteSent(AtMs(80), 2000, 10000, 6000);
    window.Acknowledge(Acknowledged(6000, 81, 40), 10000, 0, true);
    EXPECT_EQ(window.Size(), 18000); // 2 x (7,000 + 2,000)
}

/// Goes through two rounds, after which the window is 40 segments, and one whose acknowledgements come from
/// `first` to `last` ms, the first a round trip of `roundTrip` ms after its data.
std::int64_t
WindowAfterThirdRound(double first,
                      double last,
                      double roundTrip,
                      bool isReno = false,
                      std::optional<bool> hasHyStart = std::nullopt)
{
    CongestionWindow window = Closed(10000, 0, isReno, hasHyStart);
    window.Open(AtMs(0));
    std::int64_t sent = 0;
    GoRound(window, sent, 80, 40);
    GoRound(window, sent, 120, 40);
    const std::int64_t bytes = window.Size();
    sent += bytes;
    window.NoteSent(AtMs(first - roundTrip), bytes, sent, bytes);
    AcknowledgedTrain train = Acknowledged(bytes, first, roundTrip);
    train.acknowledgements = bytes / 1000; // at most 2 ms apart
    train.lastAcknowledged = AtMs(last);
    train.lastSent = AtMs(last - roundTrip);
    window.Acknowledge(train, sent, 0, true);
    return window.Size();
}

// The least of more than eight round trips is more than 40 + 40 / 8 ms. CUBIC follows, which has met no loss yet: a
// segment for every 20 that are acknowledged.
TEST(CongestionWindow, ARoundTripThatRisesByAnEighthEndsSlowStart)
{
    EXPECT_EQ(WindowAfterThirdRound(165, 165, 45), 80000);
    EXPECT_EQ(WindowAfterThirdRound(165.001, 165.001, 45.001), 42000);
    EXPECT_EQ(WindowAfterThirdRound(170, 170, 50, true), 80000); // of CUBIC alone
}

TEST(CongestionWindow, HyStartIsOffOrOnForEitherControl)
{
    EXPECT_EQ(WindowAfterThirdRound(170, 170, 50, false, false), 80000);
    EXPECT_EQ(WindowAfterThirdRound(170, 170, 50, true, true),
              41000); // Reno: a segment a round trip
}

// A paced sender's acknowledgements come within the least round trip and a millisecond.
TEST(CongestionWindow, AcknowledgementsForLongerThanARoundTripEndSlowStart)
{
    EXPECT_EQ(WindowAfterThirdRound(160, 200.9, 40), 80000);
    EXPECT_EQ(WindowAfterThirdRound(160, 201.1, 40), 42000);
}

TEST(CongestionWindow, APauseHalvesItForEachTimeout)
{
    CongestionWindow window = Opened();
    std::int64_t sent = 0;
    for (double now = 80; now <= 200; now += 40)
    {
        GoRound(window, sent, now, 40); // 160,000 in the end
    }
    window.RestartAfter(Duration::Milliseconds(239)); // the timeout is 40 + 200 ms
    EXPECT_EQ(window.Size(), 160000);
    window.RestartAfter(Duration::Milliseconds(481));
    EXPECT_EQ(window.Size(), 40000);
    window.RestartAfter(Duration::Seconds(10));
    EXPECT_EQ(window.Size(), 10000);
}

TEST(CongestionWindow, IsPacedAtTwoWindowsARoundTripInBurstsOfAMillisecond)
{
    CongestionWindow window = Opened();
    std::int64_t sent = 0;
    GoRound(window, sent, 80, 40);
    // 2 x 20,000 bytes / 40 ms is a segment per millisecond.
    EXPECT_EQ(LongestTrain(window.GetPacing(), {}, 1), 1000);
    sent += 1000;
    window.NoteSent(AtMs(80), 1000, sent, 1000);
    EXPECT_NEAR(window.SendsFrom().ToSeconds(), 0.081, 1e-8); // to a rounding of the smoothed 40 ms
}

TEST(CongestionWindow, NoMoreThanTheFirstFlightIsSentUnacknowledged)
{
    CongestionWindow window = Closed(100000, 65535);
    EXPECT_EQ(window.Size(), 65535);
    window.Open(AtMs(0));
    window.NoteSent(AtMs(40), 60000, 60000, 60000);
    window.Acknowledge(Acknowledged(20000, 80, 40), 60000, 40000, true);
    EXPECT_GE(window.Size(), 100000);
}

} // namespace
} // namespace geotrain
