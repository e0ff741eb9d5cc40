// SPDX-License-Identifier: GPL-2.0-only
// Tests both loss recoveries by themselves: what they find lost from a list of segments and
// acknowledgements, and when.
#include "bulk-tcp/model/rack-recovery.h"
#include "bulk-tcp/model/stock-recovery.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

namespace
{

using geotrain::nsPerMs;
using ns3::LossRecovery;
using ns3::PacketRecord;
using ns3::RackRecovery;
using ns3::StockRecovery;
using ns3::TcpSocketState;

constexpr std::uint32_t segmentBytes = 1000;
constexpr LossRecovery::RoundTrips fortyMs{40 * nsPerMs, 40 * nsPerMs};

/// Returns an acknowledgement up to segment `next` that SACKs the segments [from, to).
PacketRecord
AckOf(std::uint32_t next, std::uint32_t from = 0, std::uint32_t to = 0)
{
    PacketRecord ack{};
    ack.kind = PacketRecord::Kind::Ack;
    ack.offset = next * segmentBytes;
    if (to > from)
    {
        ack.sackBlocks = 1;
        ack.sack[0] = {(from - next) * segmentBytes, (to - next) * segmentBytes};
    }
    return ack;
}

/// Sends segments 0 to `count` - 1, one per millisecond from time 0.
void
SendFlight(LossRecovery& losses, int count)
{
    for (int i = 0; i < count; ++i)
    {
        losses.OnSent(i * nsPerMs, segmentBytes);
    }
}

LossRecovery::Situation
SituationOf(TcpSocketState::TcpCongState_t state, std::uint64_t sacked, std::uint32_t duplicates)
{
    return {state, sacked, static_cast<std::uint32_t>(sacked), duplicates, 0, false};
}

template <typename Recovery>
class AnyRecovery : public testing::Test
{
  protected:
    Recovery m_losses;
};

using Recoveries = testing::Types<RackRecovery, StockRecovery>;
TYPED_TEST_SUITE(AnyRecovery, Recoveries);

TYPED_TEST(AnyRecovery, CountsWhatIsSentAndNotAcknowledged)
{
    LossRecovery& losses = this->m_losses;
    SendFlight(losses, 10);
    EXPECT_EQ(losses.InFlight(), 10 * segmentBytes);
    losses.OnAck(40 * nsPerMs, AckOf(4));
    EXPECT_EQ(losses.InFlight(), 6 * segmentBytes);
    losses.OnAck(41 * nsPerMs, AckOf(4, 5, 7));
    EXPECT_EQ(losses.InFlight(), 4 * segmentBytes);
    EXPECT_EQ(losses.NextTx(), 10 * segmentBytes);
    EXPECT_EQ(losses.NextLost(), nullptr);
}

TYPED_TEST(AnyRecovery, ThreeSegmentsBehindItMakeOneLost)
{
    LossRecovery& losses = this->m_losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 4));
    EXPECT_EQ(losses.DetectLosses(41 * nsPerMs, false, fortyMs), segmentBytes);
    ASSERT_NE(losses.NextLost(), nullptr);
    EXPECT_EQ(losses.NextLost()->offset, 0U);
    EXPECT_EQ(losses.InFlight(), 6 * segmentBytes); // ten, less three that arrived and one lost
    EXPECT_EQ(losses.React(SituationOf(TcpSocketState::CA_DISORDER, 3 * segmentBytes, 3)),
              LossRecovery::Reaction::Enter);
}

TYPED_TEST(AnyRecovery, ATimeoutLosesAllThatIsNotSacked)
{
    LossRecovery& losses = this->m_losses;
    SendFlight(losses, 5);
    losses.OnAck(40 * nsPerMs, AckOf(0, 3, 4));
    losses.OnTimeout();
    EXPECT_EQ(losses.InFlight(), 0U);
    EXPECT_EQ(losses.Board().LostBytes(), 4 * segmentBytes);
    std::vector<std::uint64_t> again;
    while (LossRecovery::Segment* lost = losses.NextLost())
    {
        again.push_back(lost->offset / segmentBytes);
        losses.OnRetransmitted(*lost, 50 * nsPerMs);
    }
    EXPECT_EQ(again, (std::vector<std::uint64_t>{0, 1, 2, 4}));
    EXPECT_EQ(losses.InFlight(), 4 * segmentBytes);
}

TEST(RackRecovery, OneSegmentBehindIsEnoughAfterTheReorderingWindow)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 2)); // segment 1, sent at 1 ms, took 40 ms
    EXPECT_EQ(losses.DetectLosses(41 * nsPerMs, false, fortyMs), 0U);
    // RFC 8985, 6.2 step 5: sent at 0, RACK.rtt 40 ms, window min_RTT / 4 = 10 ms.
    EXPECT_EQ(losses.NextDetectionNs(), 50 * nsPerMs);
    EXPECT_EQ(losses.DetectLosses(50 * nsPerMs, false, fortyMs), segmentBytes);
    EXPECT_FALSE(losses.NextDetectionNs());
}

TEST(RackRecovery, InRecoveryThereIsNoReorderingWindow)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 2));
    EXPECT_EQ(losses.DetectLosses(41 * nsPerMs, true, fortyMs), segmentBytes); // 6.2 step 4
}

/// Returns an acknowledgement up to segment `next` that reports that segment `copy` has come twice.
PacketRecord
DsackOf(std::uint32_t next, std::uint32_t copy)
{
    PacketRecord ack = AckOf(next);
    ack.flags = PacketRecord::Duplicate;
    ack.sackBlocks = 1;
    ack.sack[0] = {(copy - next) * segmentBytes, (copy + 1 - next) * segmentBytes};
    return ack;
}

/// A ReorderedFlight finds how long RACK waits for segments that were overtaken.
class ReorderedFlight : public testing::Test
{
  protected:
    static constexpr std::uint32_t s_count = 100;

    ReorderedFlight()
    {
        for (std::uint32_t i = 0; i < s_count; ++i)
        {
            m_losses.OnSent(0, segmentBytes);
        }
    }

    /// Sends the first `count` segments again, after a timeout.
    void SendAgain(int count, bool isProbe = false)
    {
        m_losses.OnTimeout();
        for (int i = 0; i < count; ++i)
        {
            m_losses.OnRetransmitted(*m_losses.NextLost(), 50 * nsPerMs, isProbe);
        }
    }

    /// Returns the reordering window in milliseconds. One segment is overtaken by the last.
    std::int64_t WindowMs(const LossRecovery::RoundTrips& roundTrips = fortyMs)
    {
        const std::int64_t sentNs = 1000 * nsPerMs;
        m_losses.OnSent(sentNs, segmentBytes);
        m_losses.OnSent(sentNs, segmentBytes);
        const std::uint64_t end = m_losses.Board().HighTx() / segmentBytes;
        const auto last = static_cast<std::uint32_t>(end - 1);
        m_losses.OnAck(sentNs + 40 * nsPerMs, AckOf(last - 1, last, last + 1));
        m_losses.DetectLosses(sentNs + 40 * nsPerMs, false, roundTrips);
        const std::optional<std::int64_t> lostNs = m_losses.NextDetectionNs();
        return lostNs ? (*lostNs - sentNs) / nsPerMs - 40 : 0; // RFC 8985, 6.2 step 5
    }

    RackRecovery m_losses;
};

TEST_F(ReorderedFlight, TheWindowIsAQuarterOfTheLeastRoundTrip)
{
    EXPECT_EQ(WindowMs(), 10);
}

TEST_F(ReorderedFlight, DsacksOfOneRoundTripWidenTheWindowOnce)
{
    SendAgain(5);
    for (std::uint32_t i = 0; i < 5; ++i)
    {
        m_losses.OnAck(90 * nsPerMs, DsackOf(10 + i, i));
    }
    EXPECT_EQ(WindowMs(), 20); // RFC 8985, 6.2.4: RACK.reo_wnd_mult 2
}

TEST_F(ReorderedFlight, DsacksOfTheNextRoundTripWidenItAgain)
{
    SendAgain(2);
    m_losses.OnAck(90 * nsPerMs, DsackOf(10, 0));
    m_losses.OnAck(130 * nsPerMs, AckOf(s_count)); // RACK.dsack_round is over
    m_losses.OnAck(131 * nsPerMs, DsackOf(s_count, 1));
    EXPECT_EQ(WindowMs(), 30);
}

TEST_F(ReorderedFlight, SixteenRecoveriesWithoutADsackResetTheWindow)
{
    SendAgain(1);
    m_losses.OnAck(90 * nsPerMs, DsackOf(10, 0));
    for (int i = 0; i < 15; ++i)
    {
        m_losses.OnRecoveryEnds();
    }
    EXPECT_EQ(WindowMs(), 20);
    m_losses.OnRecoveryEnds(); // RACK.reo_wnd_persist 0
    EXPECT_EQ(WindowMs(), 10);
}

TEST_F(ReorderedFlight, TheWindowIsAtMostTheSmoothedRoundTrip)
{
    SendAgain(1);
    m_losses.OnAck(90 * nsPerMs, DsackOf(10, 0));
    EXPECT_EQ(WindowMs({40 * nsPerMs, 15 * nsPerMs}), 15);
}

TEST_F(ReorderedFlight, CopiesOfProbesAndOfTheNetworkDoNotCount)
{
    SendAgain(1, true);
    m_losses.OnAck(90 * nsPerMs, DsackOf(10, 0)); // a tail loss probe
    m_losses.OnAck(91 * nsPerMs, DsackOf(10, 1)); // sent once
    EXPECT_EQ(WindowMs(), 10);
}

TEST(RackRecovery, ALostRetransmissionIsFound)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 4));
    losses.DetectLosses(41 * nsPerMs, false, fortyMs);
    EXPECT_TRUE(losses.OnRetransmitted(*losses.NextLost(),
                                       42 * nsPerMs)); // the head: the timeout starts anew
    losses.OnSent(43 * nsPerMs, segmentBytes);
    losses.OnAck(83 * nsPerMs,
                 AckOf(0, 10, 11)); // what was sent after the retransmission has arrived
    EXPECT_EQ(losses.DetectLosses(83 * nsPerMs, true, fortyMs),
              7 * segmentBytes); // 4 to 9, and 0 again
    EXPECT_TRUE(losses.IsFirstTimeout(TcpSocketState::CA_OPEN));
    EXPECT_FALSE(losses.IsFirstTimeout(TcpSocketState::CA_LOSS));
}

/// Returns how many bytes of eleven segments, sent at 100 ms, are found lost when the second one,
/// sent again at 500 ms, is acknowledged at 600 ms with the timestamp `echoMs`.
std::uint64_t
LostBehindARetransmission(std::uint32_t echoMs)
{
    RackRecovery losses;
    for (int i = 0; i < 11; ++i)
    {
        losses.OnSent(100 * nsPerMs, segmentBytes);
    }
    losses.OnAck(140 * nsPerMs, AckOf(1)); // RACK.min_RTT
    losses.OnTimeout();
    losses.OnRetransmitted(*losses.NextLost(), 500 * nsPerMs);
    losses.Undo();
    PacketRecord ack = AckOf(2);
    ack.echoMs = echoMs;
    losses.OnAck(600 * nsPerMs, ack);
    return losses.DetectLosses(600 * nsPerMs, false, fortyMs);
}

TEST(RackRecovery, TheEchoTellsWhichCopyOfASegmentArrived)
{
    // RFC 8985, 6.2, step 2: the retransmission has overtaken nine, the original none.
    EXPECT_EQ(LostBehindARetransmission(500), 9 * segmentBytes);
    EXPECT_EQ(LostBehindARetransmission(100), 0U);
}

TEST(RackRecovery, ReactsToLossOnceAndThenReduces)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 4));
    losses.DetectLosses(41 * nsPerMs, false, fortyMs);
    EXPECT_EQ(losses.React(SituationOf(TcpSocketState::CA_LOSS, segmentBytes, 1)),
              LossRecovery::Reaction::None);
    LossRecovery::Situation later = SituationOf(TcpSocketState::CA_RECOVERY, segmentBytes, 1);
    later.recover = 10 * segmentBytes;
    EXPECT_EQ(losses.React(later), LossRecovery::Reaction::Reduce);
    later.hasEntered = true;
    EXPECT_EQ(losses.React(later), LossRecovery::Reaction::None);
}

TEST(StockRecovery, TwoSegmentsBehindAreTooFew)
{
    StockRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(42 * nsPerMs, AckOf(0, 1, 3));
    EXPECT_EQ(losses.DetectLosses(1000 * nsPerMs, true, fortyMs), 0U);
    EXPECT_FALSE(losses.NextDetectionNs());
    EXPECT_EQ(losses.React(SituationOf(TcpSocketState::CA_DISORDER, segmentBytes, 2)),
              LossRecovery::Reaction::None);
    EXPECT_EQ(losses.React(SituationOf(TcpSocketState::CA_DISORDER, segmentBytes, 3)),
              LossRecovery::Reaction::Enter); // the third duplicate loses the head
    EXPECT_EQ(losses.Board().LostBytes(), segmentBytes);
}

TEST(StockRecovery, ALostRetransmissionIsNotNoticed)
{
    StockRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 4));
    losses.DetectLosses(41 * nsPerMs, false, fortyMs);
    EXPECT_FALSE(losses.OnRetransmitted(*losses.NextLost(), 42 * nsPerMs));
    EXPECT_EQ(losses.NextTx(), 0U); // SND.NXT goes back
    losses.OnAck(90 * nsPerMs, AckOf(0, 4, 10));
    losses.DetectLosses(90 * nsPerMs, true, fortyMs);
    EXPECT_EQ(losses.NextLost(), nullptr);
}

TEST(StockRecovery, DoubtfulSegmentsComeInOrder)
{
    StockRecovery losses;
    SendFlight(losses, 4);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 2));
    LossRecovery::Segment* first = losses.NextDoubtful();
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->offset, 0U);
    losses.OnRetransmitted(*first, 42 * nsPerMs);
    losses.OnSentAgain(*first);
    EXPECT_EQ(losses.NextTx(), segmentBytes);
    EXPECT_EQ(losses.NextDoubtful()->offset, 2 * segmentBytes); // 1 is SACKed
    EXPECT_EQ(losses.InFlight(), 4 * segmentBytes);             // 0, 2, 3 and the repeated 0
}

} // namespace
