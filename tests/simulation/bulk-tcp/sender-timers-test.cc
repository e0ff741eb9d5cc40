// SPDX-License-Identifier: GPL-2.0-only
// Tests a sender's pacer and timers as functions of time, against the formulas of their RFCs.
#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/pacer.h"
#include "bulk-tcp/model/retransmission-timeout.h"
#include "bulk-tcp/model/tail-loss-probe.h"
#include "bulk-tcp/model/window-probe.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace
{

using geotrain::nsPerMs;
using ns3::LazyTimer;
using ns3::Pacer;
using ns3::PacketRecord;
using ns3::RetransmissionTimeout;
using ns3::TailLossProbe;
using ns3::WindowProbe;

PacketRecord
AckUpTo(std::uint64_t offset, std::uint8_t flags = 0, std::uint8_t sackBlocks = 0)
{
    PacketRecord ack{};
    ack.kind = PacketRecord::Kind::Ack;
    ack.offset = offset;
    ack.flags = flags;
    ack.sackBlocks = sackBlocks;
    return ack;
}

/// Returns an acknowledgement with a DSACK of the bytes from `begin` to `end`.
PacketRecord
WithDsack(std::uint64_t offset, std::uint64_t begin, std::uint64_t end)
{
    PacketRecord ack = AckUpTo(offset, PacketRecord::Duplicate, 1);
    ack.sack[0] = {static_cast<std::uint32_t>(begin - offset),
                   static_cast<std::uint32_t>(end - offset)};
    return ack;
}

TEST(Pacer, HoldsAfterAMillisecondOfItsRate)
{
    Pacer pacer;
    pacer.SetRate(80000000); // 10,000 bytes per millisecond
    for (int i = 0; i < 9; ++i)
    {
        pacer.OnSent(0, 1000);
        EXPECT_FALSE(pacer.Holds(0)) << i;
    }
    pacer.OnSent(0, 1000);
    EXPECT_EQ(pacer.NextNs(), nsPerMs); // 10,000 bytes / (80 Mbit/s)
    EXPECT_TRUE(pacer.Holds(nsPerMs - 1));
    EXPECT_FALSE(pacer.Holds(nsPerMs));
}

TEST(Pacer, BurstsHoldAtMost64KiB)
{
    Pacer pacer;
    pacer.SetRate(8000000000000); // a millisecond would be 1 GB
    pacer.OnSent(0, 65535);
    EXPECT_EQ(pacer.NextNs(), 0);
    pacer.OnSent(0, 1);
    EXPECT_EQ(pacer.NextNs(), 66); // 65,536 bytes at 1 byte/ps, each packet rounded to a nanosecond
}

TEST(Pacer, ABurstHasItsLeastSizeAtALowRate)
{
    // 10 Mbit/s are 1,250 bytes a millisecond, less than a packet; tcp_min_tso_segs of Linux is 2.
    Pacer pacer(2 * 1448);
    pacer.SetRate(10000000);
    pacer.OnSent(0, 1448);
    EXPECT_FALSE(pacer.Holds(0));
    pacer.OnSent(0, 1448);
    EXPECT_TRUE(pacer.Holds(0));
    EXPECT_EQ(pacer.NextNs(), 2 * 1448 * 8 * 100); // 100 ns a bit
}

TEST(Pacer, UnusedTimeIsLost)
{
    Pacer pacer;
    pacer.SetRate(8000000); // 1,000 bytes per millisecond
    pacer.OnSent(0, 1000);
    pacer.OnSent(100 * nsPerMs, 1000);
    EXPECT_EQ(pacer.NextNs(), 101 * nsPerMs); // not 2 ms
}

TEST(Pacer, AloneAPacketTakesItsTime)
{
    Pacer pacer;
    pacer.OnSentAlone(0, 1000, 8000000); // 1 ms
    EXPECT_EQ(pacer.NextNs(), nsPerMs);
    pacer.OnSentAlone(nsPerMs / 2, 1000, 8000000); // a retransmission in between delays nothing
    EXPECT_EQ(pacer.NextNs(), nsPerMs);
    pacer.Restart(nsPerMs / 2);
    EXPECT_FALSE(pacer.Holds(nsPerMs / 2));
}

TEST(RetransmissionTimeout, IsASecondBeforeTheFirstMeasurement)
{
    EXPECT_EQ(RetransmissionTimeout(200 * nsPerMs).Ns(), 1000 * nsPerMs); // RFC 6298, 2.1
}

TEST(RetransmissionTimeout, IsTheSmoothedRttAndFourVariations)
{
    RetransmissionTimeout timeout(10 * nsPerMs);
    timeout.Rtt().Measure(100 * nsPerMs);
    EXPECT_EQ(timeout.Ns(), (100 + 4 * 50) * nsPerMs); // RFC 6298, 2.2: RTTVAR = R/2
    timeout.Rtt().Measure(100 * nsPerMs);
    EXPECT_EQ(timeout.Ns(), 250 * nsPerMs); // RTTVAR = 3/4 x 50 ms
}

TEST(RetransmissionTimeout, TheMinimumBoundsTheVariation)
{
    RetransmissionTimeout timeout(200 * nsPerMs);
    for (int i = 0; i < 100; ++i) // the variation decays to nothing
    {
        timeout.Rtt().Measure(300 * nsPerMs);
    }
    // Linux: SRTT + max(4 RTTVAR, 200 ms); SRTT is rounded down.
    EXPECT_NEAR(static_cast<double>(timeout.Ns()), 500e6, 1e3);
}

TEST(RetransmissionTimeout, OfNs3sSocketsIsNeverBelowItsMinimum)
{
    RetransmissionTimeout timeout(200 * nsPerMs, RetransmissionTimeout::Formula::Rfc6298);
    timeout.Rtt().Measure(1 * nsPerMs);
    EXPECT_EQ(timeout.Ns(), 200 * nsPerMs); // max(SRTT + max(1 ms, 4 RTTVAR), 200 ms)
    for (int i = 0; i < 100; ++i)
    {
        timeout.Rtt().Measure(300 * nsPerMs);
    }
    EXPECT_NEAR(static_cast<double>(timeout.Ns()), 301e6, 1e3); // SRTT is rounded down
}

TEST(RetransmissionTimeout, DoublesUpToAMinuteAndGivesUpAfterFifteen)
{
    RetransmissionTimeout timeout(200 * nsPerMs);
    timeout.Rtt().Measure(1 * nsPerMs);
    std::int64_t expected = 201 * nsPerMs;
    for (int i = 0; i < 15; ++i)
    {
        EXPECT_TRUE(timeout.BackOff());
        expected = std::min(2 * expected, 60000 * nsPerMs);
        EXPECT_EQ(timeout.Ns(), expected);
    }
    EXPECT_FALSE(timeout.BackOff());
    timeout.OnProgress();
    EXPECT_TRUE(timeout.BackOff());
}

TEST(RetransmissionTimeout, OnlyAMeasurementEndsTheBackingOff)
{
    RetransmissionTimeout timeout(200 * nsPerMs);
    timeout.Rtt().Measure(1 * nsPerMs);
    timeout.BackOff();
    timeout.OnProgress(); // Karn: an acknowledgement of retransmitted data says nothing of the path
    EXPECT_EQ(timeout.Ns(), 2 * 201 * nsPerMs);
    EXPECT_TRUE(timeout.HasBackedOff());
    timeout.OnSample();
    EXPECT_EQ(timeout.Ns(), 201 * nsPerMs);
    EXPECT_FALSE(timeout.HasBackedOff());
}

TEST(RetransmissionTimeout, IsThreeSecondsAfterALostSyn)
{
    RetransmissionTimeout timeout(200 * nsPerMs);
    timeout.OnLostSyn();
    EXPECT_EQ(timeout.Ns(), 3000 * nsPerMs); // RFC 6298, 5.7
    timeout.Rtt().Measure(100 * nsPerMs);
    EXPECT_EQ(timeout.Ns(), 300 * nsPerMs);
}

TEST(RetransmissionTimeout, SynsDoubleTheirSecondSixTimes)
{
    RetransmissionTimeout timeout(200 * nsPerMs);
    for (int i = 0; i <= 6; ++i)
    {
        timeout.AwaitSynAck(5);
        EXPECT_EQ(timeout.DeadlineNs(), 5 + ((1000 * nsPerMs) << i));
        EXPECT_EQ(timeout.RetrySyn(), i < 6);
    }
}

TEST(RetransmissionTimeout, SynsOfASpreadConnectionWaitALittleLonger)
{
    RetransmissionTimeout timeout(200 * nsPerMs, RetransmissionTimeout::Formula::Linux, 0.2);
    for (int i = 0; i <= 6; ++i)
    {
        timeout.AwaitSynAck(5);
        EXPECT_EQ(timeout.DeadlineNs(), 5 + ((1200 * nsPerMs) << i));
        timeout.RetrySyn();
    }
    // The spreads of a hundred connections are different, below a quarter, and the same every time.
    std::set<double> spreads;
    for (int i = 0; i < 100; ++i)
    {
        const auto name = "0-1/" + std::to_string(i);
        const double spread = ns3::BulkTcpOptions::SynSpreadOf(name);
        EXPECT_EQ(spread, ns3::BulkTcpOptions::SynSpreadOf(name));
        EXPECT_TRUE(spread > 0 && spread < 0.25) << spread;
        spreads.insert(spread);
    }
    EXPECT_EQ(spreads.size(), 100u);
}

TEST(TailLossProbe, ComesTwoRoundTripsAndAFloorAfterTheLastActivity)
{
    TailLossProbe probe(true, 200 * nsPerMs);
    probe.Arm(1000 * nsPerMs, 10 * nsPerMs, 2, 5000 * nsPerMs);
    EXPECT_EQ(probe.DeadlineNs(), 1022 * nsPerMs); // Linux: PTO = 2 SRTT + TCP_TIMEOUT_MIN_US
    probe.Arm(1000 * nsPerMs, 10 * nsPerMs, 1, 5000 * nsPerMs);
    EXPECT_EQ(probe.DeadlineNs(), 1220 * nsPerMs); // a lone segment: PTO = 2 SRTT + TCP_RTO_MIN
    probe.Arm(1000 * nsPerMs, 10 * nsPerMs, 1, 1030 * nsPerMs);
    EXPECT_EQ(probe.DeadlineNs(), 1030 * nsPerMs); // not after the timeout
    probe.Stop();
    EXPECT_EQ(probe.DeadlineNs(), LazyTimer::s_never);
}

TEST(TailLossProbe, AllowsForTheAcknowledgementOfAsManySegmentsAsMayWait)
{
    TailLossProbe probe(true, 200 * nsPerMs, 8); // an acknowledgement per 8 segments
    probe.Arm(1000 * nsPerMs, 10 * nsPerMs, 7, 5000 * nsPerMs);
    EXPECT_EQ(probe.DeadlineNs(), 1220 * nsPerMs);
    probe.Arm(1000 * nsPerMs, 10 * nsPerMs, 8, 5000 * nsPerMs);
    EXPECT_EQ(probe.DeadlineNs(), 1022 * nsPerMs);
}

TEST(TailLossProbe, OnlyOneIsOut)
{
    TailLossProbe probe(true, 40 * nsPerMs);
    EXPECT_TRUE(probe.IsReady());
    EXPECT_FALSE(TailLossProbe(false, 40 * nsPerMs).IsReady());
    probe.OnSent(1000, false);
    EXPECT_FALSE(probe.IsReady());
    EXPECT_FALSE(probe.OnAck(AckUpTo(999), true));
    EXPECT_FALSE(probe.IsReady());
    EXPECT_FALSE(probe.OnAck(AckUpTo(1000), true)); // new data repairs nothing
    EXPECT_TRUE(probe.IsReady());
}

TEST(TailLossProbe, ARepeatedSegmentThatWasNeededIsALoss)
{
    // RFC 8985, 7.4.2: an acknowledgement beyond the probe without a DSACK says that the original was lost.
    TailLossProbe lost(true, 40 * nsPerMs);
    lost.OnSent(1000, true);
    EXPECT_TRUE(lost.OnAck(AckUpTo(2000), true));
    TailLossProbe needless(true, 40 * nsPerMs);
    needless.OnSent(1000, true);
    EXPECT_FALSE(needless.OnAck(WithDsack(2000, 500, 1000), true));
    EXPECT_TRUE(needless.IsReady());
}

TEST(TailLossProbe, ADsackOfOtherDataIsNotItsOwn)
{
    TailLossProbe probe(true, 40 * nsPerMs);
    probe.OnSent(1000, true);
    EXPECT_FALSE(probe.OnAck(WithDsack(1000, 0, 500), false));
    EXPECT_FALSE(probe.IsReady());
    EXPECT_TRUE(probe.OnAck(WithDsack(2000, 0, 500), true)); // without one of the probe: a loss
}

TEST(TailLossProbe, TheOriginalsAcknowledgementLeavesItOpen)
{
    TailLossProbe probe(true, 40 * nsPerMs);
    probe.OnSent(1000, true);
    EXPECT_FALSE(probe.OnAck(AckUpTo(1000), true));
    EXPECT_FALSE(probe.IsReady());
    EXPECT_FALSE(probe.OnAck(AckUpTo(1000), false)); // a bare duplicate is the probe's own
    EXPECT_TRUE(probe.IsReady());
}

TEST(WindowProbe, PausesDoubleUntilTheWindowOpens)
{
    WindowProbe probe;
    EXPECT_EQ(probe.Await(0, 200 * nsPerMs), 200 * nsPerMs);
    EXPECT_EQ(probe.Await(100 * nsPerMs, 200 * nsPerMs), 200 * nsPerMs); // set already
    probe.OnExpired();
    EXPECT_EQ(probe.Await(200 * nsPerMs, 200 * nsPerMs), 600 * nsPerMs);
    probe.OnExpired();
    EXPECT_EQ(probe.Await(600 * nsPerMs, 200 * nsPerMs), 1400 * nsPerMs);
    probe.OnOpen();
    EXPECT_EQ(probe.Await(2000 * nsPerMs, 200 * nsPerMs), 2200 * nsPerMs);
}

TEST(WindowProbe, FifteenWithoutAnAnswerAreTooMany)
{
    WindowProbe probe;
    for (int i = 0; i < 15; ++i)
    {
        EXPECT_TRUE(probe.OnSent());
    }
    EXPECT_FALSE(probe.OnSent());
    probe.OnAnswer();
    EXPECT_TRUE(probe.OnSent());
}

} // namespace
