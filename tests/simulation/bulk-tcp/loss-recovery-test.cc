// SPDX-License-Identifier: GPL-2.0-only
// Tests both loss recoveries by themselves: what they find lost from a list of segments and
// acknowledgements, and when.
#include "bulk-tcp/model/rack-recovery.h"
#include "bulk-tcp/model/stock-recovery.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <memory>
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
    EXPECT_EQ(losses.DetectLosses(41 * nsPerMs, false, 40 * nsPerMs), segmentBytes);
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
    EXPECT_EQ(losses.DetectLosses(41 * nsPerMs, false, 40 * nsPerMs), 0U);
    // RFC 8985, 6.2 step 5: sent at 0, RACK.rtt 40 ms, window min_RTT / 4 = 10 ms.
    EXPECT_EQ(losses.NextDetectionNs(), 50 * nsPerMs);
    EXPECT_EQ(losses.DetectLosses(50 * nsPerMs, false, 40 * nsPerMs), segmentBytes);
    EXPECT_FALSE(losses.NextDetectionNs());
}

TEST(RackRecovery, InRecoveryThereIsNoReorderingWindow)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 2));
    EXPECT_EQ(losses.DetectLosses(41 * nsPerMs, true, 40 * nsPerMs), segmentBytes); // 6.2 step 4
}

TEST(RackRecovery, ADuplicateWidensTheWindow)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    PacketRecord ack = AckOf(0, 1, 5);
    ack.flags = PacketRecord::Duplicate;
    losses.OnAck(44 * nsPerMs, ack); // segment 4, sent at 4 ms, took 40 ms
    EXPECT_EQ(losses.DetectLosses(44 * nsPerMs, true, 40 * nsPerMs), 0U);
    EXPECT_EQ(losses.NextDetectionNs(), 60 * nsPerMs); // 0 + 40 ms + 2 x 40 ms / 4
}

TEST(RackRecovery, ALostRetransmissionIsFound)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 4));
    losses.DetectLosses(41 * nsPerMs, false, 40 * nsPerMs);
    EXPECT_TRUE(losses.OnRetransmitted(*losses.NextLost(),
                                       42 * nsPerMs)); // the head: the timeout starts anew
    losses.OnSent(43 * nsPerMs, segmentBytes);
    losses.OnAck(83 * nsPerMs,
                 AckOf(0, 10, 11)); // what was sent after the retransmission has arrived
    EXPECT_EQ(losses.DetectLosses(83 * nsPerMs, true, 40 * nsPerMs),
              7 * segmentBytes); // 4 to 9, and 0 again
    EXPECT_TRUE(losses.IsFirstTimeout(TcpSocketState::CA_OPEN));
    EXPECT_FALSE(losses.IsFirstTimeout(TcpSocketState::CA_LOSS));
}

TEST(RackRecovery, ReactsToLossOnceAndThenReduces)
{
    RackRecovery losses;
    SendFlight(losses, 10);
    losses.OnAck(41 * nsPerMs, AckOf(0, 1, 4));
    losses.DetectLosses(41 * nsPerMs, false, 40 * nsPerMs);
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
    EXPECT_EQ(losses.DetectLosses(1000 * nsPerMs, true, 40 * nsPerMs), 0U);
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
    losses.DetectLosses(41 * nsPerMs, false, 40 * nsPerMs);
    EXPECT_FALSE(losses.OnRetransmitted(*losses.NextLost(), 42 * nsPerMs));
    EXPECT_EQ(losses.NextTx(), 0U); // SND.NXT goes back
    losses.OnAck(90 * nsPerMs, AckOf(0, 4, 10));
    losses.DetectLosses(90 * nsPerMs, true, 40 * nsPerMs);
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
