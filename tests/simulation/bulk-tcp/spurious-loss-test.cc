// SPDX-License-Identifier: GPL-2.0-only
// Tests the undo of spurious recoveries and timeouts on a sender that gets acknowledgements made by
// hand: Eifel (RFC 3522, 4015), DSACK (RFC 3708) and F-RTO (RFC 5682), each beside a real loss that
// must not be undone. The round trip is 40 ms. Segments are counted from 0, and ten go out at 40 ms.
#include "bulk-tcp/helper/express-path-helper.h"
#include "bulk-tcp/model/bulk-sender.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "bulk-tcp/model/spurious-loss-listener.h"
#include "instants.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>
#include <ns3/tcp-linux-reno.h>

#include <memory>
#include <optional>
#include <vector>

namespace
{

using namespace ns3;
using geotrain::BitRate;
using geotrain::Bytes;
using geotrain::Duration;
using geotrain::nsPerMs;

/// A ScriptedPeer is the other end of one sender, which tests play.
class ScriptedPeer : public testing::Test, public PacketElement, public BulkSenderEvents
{
  protected:
    using State = TcpSocketState::TcpCongState_t;

    ScriptedPeer()
    {
        m_options.pacing = false;
        m_options.hyStartPlusPlus = false;
        m_options.tailLossProbe = false;
        m_length = m_options.SegmentSize();
    }

    ~ScriptedPeer() override
    {
        Simulator::Destroy();
    }

    /// Opens the connection at 40 ms, for a message of `segments`.
    void Open(int segments, Ptr<TcpCongestionOps> control = CreateObject<TcpLinuxReno>())
    {
        m_sender = std::make_unique<BulkSender>(0, 1, m_options, control, *this, *this);
        m_sender->Send(1, static_cast<std::uint64_t>(segments) * m_length);
        RunTo(40);
        PacketRecord answer{};
        answer.kind = PacketRecord::Kind::SynAck;
        answer.window = m_window * m_length;
        m_sender->Receive(answer);
    }

    static void RunTo(std::int64_t ms)
    {
        Simulator::Stop(NanoSeconds(ms * nsPerMs) - Simulator::Now());
        Simulator::Run();
    }

    struct Blocks
    {
        std::uint32_t from = 0; ///< first segment SACKed
        std::uint32_t to = 0;   ///< segment after the last one SACKed; `from`: none
        std::optional<std::uint32_t> duplicate = std::nullopt; ///< segment that a DSACK reports
    };

    /// Acknowledges at `ms` what precedes the segment `next`.
    void Ack(std::int64_t ms,
             std::uint32_t next,
             std::uint32_t echoMs,
             const Blocks& blocks,
             std::uint8_t flags = 0)
    {
        RunTo(ms);
        PacketRecord ack{};
        ack.kind = PacketRecord::Kind::Ack;
        ack.offset = static_cast<std::uint64_t>(next) * m_length;
        ack.window = m_window * m_length;
        ack.echoMs = echoMs;
        ack.flags = flags;
        const auto add = [&](std::uint32_t from, std::uint32_t to) {
            ack.sack[ack.sackBlocks++] = {(from - next) * m_length, (to - next) * m_length};
        };
        if (blocks.duplicate)
        {
            ack.flags |= PacketRecord::Duplicate;
            add(*blocks.duplicate, *blocks.duplicate + 1);
        }
        if (blocks.from < blocks.to)
        {
            add(blocks.from, blocks.to);
        }
        m_sender->Receive(ack);
    }

    void Ack(std::int64_t ms, std::uint32_t next, std::uint32_t echoMs)
    {
        Ack(ms, next, echoMs, Blocks());
    }

    /// Makes the sender find segment 0 lost and send it again at 80 ms.
    void LoseTheFirst(std::uint8_t flags = 0)
    {
        Ack(80, 0, 40, {1, 4}, flags);
        EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
        EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0}));
        EXPECT_EQ(Tcb().m_ssThresh, 5 * m_length); // half of the ten that were out
    }

    void ExpectUndone()
    {
        EXPECT_EQ(m_sender->GetCounters().undos, 1U);
        EXPECT_LE(CongState(), TcpSocketState::CA_DISORDER);
        EXPECT_GE(Tcb().m_cWnd, 10 * m_length); // RFC 4015, 3.2: as before
        EXPECT_EQ(Tcb().m_ssThresh, UINT32_MAX);
    }

    void ExpectReduced()
    {
        EXPECT_EQ(m_sender->GetCounters().undos, 0U);
        EXPECT_EQ(Tcb().m_ssThresh, 5 * m_length);
        EXPECT_LT(Tcb().m_cWnd, 10 * m_length);
    }

    TcpSocketState& Tcb() const
    {
        return *m_sender->State();
    }

    State CongState() const
    {
        return Tcb().m_congState;
    }

    BulkTcpOptions m_options;
    std::uint32_t m_length;      ///< bytes of a segment
    std::uint32_t m_window = 40; ///< segments
    std::unique_ptr<BulkSender> m_sender;
    std::vector<std::uint32_t> m_again; ///< segments sent again
    std::uint32_t m_sent = 0;           ///< segments sent

  private:
    void Receive(const PacketRecord& record) override
    {
        if (record.kind != PacketRecord::Kind::Data)
        {
            return;
        }
        const auto number = static_cast<std::uint32_t>(record.offset / m_length);
        if (number < m_sent)
        {
            m_again.push_back(number);
        }
        m_sent = std::max(m_sent, number + 1);
    }
};

class Eifel : public ScriptedPeer
{
};

TEST_F(Eifel, TheEchoOfAnOriginalUndoesTheRecovery)
{
    Open(100);
    LoseTheFirst();
    Ack(85, 4, 40); // the original was sent at 40 ms, the retransmission at 80 ms
    ExpectUndone();
    EXPECT_EQ(CongState(), TcpSocketState::CA_OPEN);
}

TEST_F(Eifel, TheEchoOfTheRetransmissionDoesNot)
{
    Open(100);
    LoseTheFirst();
    Ack(120, 4, 80); // not older than the retransmission (tcp_tsopt_ecr_before)
    ExpectReduced();
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
    Ack(121, 10, 80);
    ExpectReduced();
}

TEST_F(Eifel, WithoutTimestampsNothingIsUndone)
{
    Open(100);
    LoseTheFirst();
    Ack(85, 4, 0);
    ExpectReduced();
}

TEST_F(Eifel, ALateOriginalWhileAnotherRetransmissionIsOutHoldsRepairs)
{
    Open(100);
    Ack(80, 0, 40, {3, 7}); // 0, 1 and 2 are lost
    Ack(81, 0, 40, {3, 9}); // and sent again, as the window allows
    const std::vector<std::uint32_t> before = m_again;
    ASSERT_GE(before.size(), 2U);
    Ack(85, 1, 40, {3, 9}); // the original of 0
    EXPECT_EQ(m_sender->GetCounters().undos, 0U);
    EXPECT_EQ(m_again, before);
    Ack(86, 10, 40); // those of 1 and 2
    ExpectUndone();
    EXPECT_EQ(m_again, before);
}

TEST_F(Eifel, WhatWasFoundLostAndNotSentAgainIsTakenBack)
{
    Open(100);
    Ack(80, 0, 40, {7, 10}); // 0 to 6 are lost; the window does not allow all to be sent again
    const std::size_t before = m_again.size();
    ASSERT_LT(before, 6U);
    Ack(82, static_cast<std::uint32_t>(before), 40, {7, 10}); // all that was sent again
    ExpectUndone();
    EXPECT_EQ(m_again.size(), before); // reordering is known: the others have until 90 ms
    RunTo(91);
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
}

TEST_F(Eifel, ATimeoutIsUndone)
{
    Open(100);
    while (m_sender->GetCounters().timeouts == 0)
    {
        RunTo(Simulator::Now().GetMilliSeconds() + 1);
    }
    EXPECT_EQ(CongState(), TcpSocketState::CA_LOSS);
    EXPECT_EQ(Tcb().m_cWnd, m_length);
    const std::int64_t now = Simulator::Now().GetMilliSeconds();
    Ack(now + 5, 2, 40); // the originals of 0 and 1 were late
    ExpectUndone();
    EXPECT_EQ(CongState(), TcpSocketState::CA_OPEN);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0})); // 2 to 9 are not lost
    EXPECT_GE(m_sent, 12U);
}

TEST_F(Eifel, AnOriginalThatIsLateByMoreThanARoundTripShowsNoOtherLoss) // RFC 8985, 6.2, step 2
{
    Open(100);
    while (m_sender->GetCounters().timeouts == 0)
    {
        RunTo(Simulator::Now().GetMilliSeconds() + 1);
    }
    const std::int64_t now = Simulator::Now().GetMilliSeconds();
    Ack(now + 60, 2, 40); // later than a retransmission's acknowledgement, but it echoes 40 ms
    Ack(now + 61, 4, 40);
    ExpectUndone();
    EXPECT_EQ(CongState(), TcpSocketState::CA_OPEN);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0}));
}

TEST_F(Eifel, AMarkForbidsTheUndo)
{
    m_options.ecn = true;
    Open(100);
    LoseTheFirst();
    Ack(85, 4, 40, {}, PacketRecord::EcnEcho);
    ExpectReduced();
}

TEST_F(Eifel, StockRulesUndoNothing)
{
    m_options.stockCompatible = true;
    Open(100);
    for (std::uint32_t i = 1; i < 4; ++i)
    {
        Ack(79 + i, 0, 40, {1, i + 1});
    }
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
    Ack(85, 10, 40);
    ExpectReduced();
}

class OneReduction : public ScriptedPeer
{
  protected:
    void RunToTimeout()
    {
        const std::uint64_t before = m_sender->GetCounters().timeouts;
        while (m_sender->GetCounters().timeouts == before)
        {
            RunTo(Simulator::Now().GetMilliSeconds() + 1);
        }
        EXPECT_EQ(CongState(), TcpSocketState::CA_LOSS);
    }

    /// Makes the sender answer a mark at 80 ms, and lets its window come down.
    void AnswerAMark()
    {
        m_options.ecn = true;
        Open(100);
        Ack(80, 1, 40, {}, PacketRecord::EcnEcho);
        ASSERT_EQ(CongState(), TcpSocketState::CA_CWR);
        m_threshold = Tcb().m_ssThresh;
        EXPECT_EQ(m_threshold, 5 * m_length); // half of ten
        for (std::uint32_t next = 2; next <= 5; ++next)
        {
            Ack(79 + next, next, 40);
        }
        ASSERT_LT(Tcb().m_cWnd, 9 * m_length); // half of which is less than the threshold
    }

    std::uint32_t m_threshold = 0;
};

// Linux's tcp_enter_recovery and tcp_enter_loss: a loss of the window of data whose marks or losses
// were answered already reduces nothing more.
TEST_F(OneReduction, ALossInCwrLeavesTheThreshold)
{
    AnswerAMark();
    Ack(85, 5, 40, {6, 9});
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{5}));
    EXPECT_EQ(Tcb().m_ssThresh, m_threshold);
    // Recovery ends where the window of data does whose mark was answered. What was sent after it
    // has come too, or it would be lost: the repair was sent later, and is there.
    Ack(125, m_sent, 85);
    EXPECT_EQ(CongState(), TcpSocketState::CA_OPEN);
    EXPECT_EQ(Tcb().m_ssThresh, m_threshold);
    EXPECT_NEAR(Tcb().m_cWnd, m_threshold, m_length); // which has grown by a segment since
}

// Linux's tcp_time_to_recover: the same where what was sent after the mark is lost.
TEST_F(OneReduction, ALossOfTheNextWindowReducesAgainWhereRecoveryEnds)
{
    AnswerAMark();
    Ack(85, 5, 40, {6, 9});
    ASSERT_GT(m_sent, 10U);
    Ack(125, 10, 85); // and not those that were sent before the repair of the sixth
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
    EXPECT_LT(Tcb().m_ssThresh, m_threshold);
}

TEST_F(OneReduction, ALossOfDataThatWasSentAfterAMarkReducesAgain)
{
    AnswerAMark();
    Ack(120, 10, 40);
    Ack(121, 11, 80);
    ASSERT_EQ(CongState(), TcpSocketState::CA_OPEN);
    ASSERT_GE(m_sent, 15U);
    Ack(160, 11, 80, {12, 15});
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
    EXPECT_LT(Tcb().m_ssThresh, m_threshold);
}

TEST_F(OneReduction, ATimeoutInRecoveryLeavesTheThreshold)
{
    Open(100);
    LoseTheFirst();
    RunToTimeout();
    EXPECT_EQ(Tcb().m_ssThresh, 5 * m_length);
    EXPECT_EQ(Tcb().m_cWnd, m_length);
}

TEST_F(OneReduction, ATimeoutInCwrLeavesTheThreshold)
{
    AnswerAMark();
    RunToTimeout();
    EXPECT_EQ(Tcb().m_ssThresh, m_threshold);
    EXPECT_EQ(Tcb().m_cWnd, m_length);
}

TEST_F(OneReduction, StockRulesReduceTwice)
{
    m_options.stockCompatible = true;
    Open(100);
    for (std::uint32_t i = 1; i < 4; ++i)
    {
        Ack(79 + i, 0, 40, {1, i + 1});
    }
    ASSERT_EQ(Tcb().m_ssThresh, 5 * m_length);
    RunToTimeout();
    EXPECT_LT(Tcb().m_ssThresh, 5 * m_length);
}

class Dsack : public ScriptedPeer
{
};

TEST_F(Dsack, ForEveryRetransmissionUndoesTheRecovery)
{
    Open(100);
    LoseTheFirst();
    Ack(85, 10, 80); // recovery ends, as far as timestamps tell
    ExpectReduced();
    Ack(120, 10, 80, {0, 0, 0}); // 0 has come twice
    ExpectUndone();
}

TEST_F(Dsack, ForSomeDoesNot)
{
    Open(100);
    Ack(80, 0, 40, {2, 9});
    ASSERT_EQ(m_again, (std::vector<std::uint32_t>{0, 1}));
    Ack(120, 10, 80, {0, 0, 0}); // 1 was lost
    ExpectReduced();
}

TEST_F(Dsack, OfACopyThatTheNetworkMadeDoesNot)
{
    Open(100);
    LoseTheFirst();
    Ack(120, 10, 80, {0, 0, 2}); // 2 was sent once (RFC 3708, section 3)
    ExpectReduced();
}

TEST_F(Dsack, BelowTheHighestAcknowledgementCounts)
{
    Open(100);
    LoseTheFirst();
    Ack(85, 10, 80);
    Ack(120, 12, 85);
    Ack(121, 10, 80, {0, 0, 0}); // overtaken by the one before
    ExpectUndone();
}

class ForwardRto : public ScriptedPeer
{
  protected:
    /// Lets the first timeout expire and acknowledges the segment that is sent again, without
    /// timestamps. The window of two segments then goes to new data (RFC 5682, 3.1, step 2b).
    void TimeOut(int segments)
    {
        Open(segments);
        while (m_sender->GetCounters().timeouts == 0)
        {
            RunTo(Simulator::Now().GetMilliSeconds() + 1);
        }
        m_ms = Simulator::Now().GetMilliSeconds();
        Ack(m_ms + 40, 1, 0);
        EXPECT_EQ(m_sender->GetCounters().undos, 0U);
    }

    std::int64_t m_ms = 0;
};

TEST_F(ForwardRto, AnOriginalAfterNewDataUndoesTheTimeout)
{
    TimeOut(100);
    EXPECT_EQ(m_sent, 12U);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0}));
    Ack(m_ms + 45, 2, 0); // 1 was sent once: step 3b
    ExpectUndone();
    EXPECT_EQ(CongState(), TcpSocketState::CA_OPEN);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0}));
}

TEST_F(ForwardRto, NewDataBehindAHoleShowsALoss)
{
    TimeOut(100);
    Ack(m_ms + 80, 1, 0, {10, 11}); // step 3a
    Ack(m_ms + 81, 1, 0, {10, 12});
    ExpectReduced();
    EXPECT_EQ(CongState(), TcpSocketState::CA_LOSS);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST_F(ForwardRto, WithoutNewDataLostSegmentsAreSentAgain)
{
    TimeOut(10);
    EXPECT_EQ(m_again, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(CongState(), TcpSocketState::CA_LOSS);
}

class OldAcknowledgement : public ScriptedPeer
{
};

TEST_F(OldAcknowledgement, ItsSackBlocksCount)
{
    Open(100);
    Ack(80, 4, 40);
    const std::uint32_t inFlight = Tcb().m_bytesInFlight;
    Ack(81, 2, 40, {6, 8});
    // Two segments have left the network, and two more go out.
    EXPECT_EQ(Tcb().m_bytesInFlight, inFlight);
    EXPECT_EQ(m_sent, 20U); // ten, two for each of four acknowledged in slow start, two
    EXPECT_EQ(CongState(), TcpSocketState::CA_DISORDER);
}

TEST_F(OldAcknowledgement, OlderThanAWindowItIsForged)
{
    m_window = 4;
    Open(100);
    Ack(80, 4, 40);
    Ack(120, 8, 80);
    EXPECT_EQ(m_sent, 12U);
    Ack(121, 3, 40, {9, 11}); // 8 - 3 is more than the window (RFC 5961, 5.2)
    EXPECT_EQ(CongState(), TcpSocketState::CA_OPEN);
    Ack(122, 4, 40, {9, 11});
    EXPECT_EQ(CongState(), TcpSocketState::CA_DISORDER);
}

/// A ListeningReno writes down what it hears of recoveries.
class ListeningReno : public TcpLinuxReno, public SpuriousLossListener
{
  public:
    void OnRecoveryBegins(Ptr<TcpSocketState> tcb) override
    {
        began.push_back(tcb->m_cWnd);
    }

    void OnSpuriousRecovery(Ptr<TcpSocketState> tcb) override
    {
        undone.push_back(tcb->m_cWnd);
    }

    std::vector<std::uint32_t> began;  ///< windows
    std::vector<std::uint32_t> undone; ///< windows
};

using Listener = ScriptedPeer;

TEST_F(Listener, HearsTheWindowBeforeTheReductionAndAfterItsUndo)
{
    const Ptr<ListeningReno> control = CreateObject<ListeningReno>();
    Open(100, control);
    LoseTheFirst();
    EXPECT_EQ(control->began, (std::vector<std::uint32_t>{10 * m_length}));
    Ack(85, 4, 40);
    EXPECT_EQ(control->undone, (std::vector<std::uint32_t>{10 * m_length}));
}

struct SpuriousOutcome
{
    double seconds;
    BulkSender::Counters counters;
};

/// Sends 100 MB over 200 Mbit/s and 40 ms with TcpLinuxReno.
SpuriousOutcome
SendBulk(Duration jitter, double lossRate)
{
    ExpressPathHelper path;
    LinkModel::Settings link;
    link.rate = BitRate::BitsPerSecond(200000000);
    link.delay = Duration::Milliseconds(20);
    link.name = "spurious";
    LinkModel::Settings back = link;
    back.name = "back";
    link.lossRate = lossRate;
    if (jitter > Duration())
    {
        link.jitter = geotrain::JitterSettings();
        link.jitter->mean = jitter;
        link.jitter->deviation = jitter;
        link.jitter->reorders = true;
    }
    path.AddLink(link, back);
    path.Build();
    BulkTcpOptions options;
    options.congestionControl = "TcpLinuxReno";
    const FlowNumber flow = path.AddFlow(options);
    path.Sender(flow).Send(1, 100000000);
    Simulator::Run();
    const SpuriousOutcome outcome{static_cast<double>(path.Log().deliveredNs.at(0)) / 1e9,
                                  path.Sender(flow).GetCounters()};
    Simulator::Destroy();
    return outcome;
}

TEST(SpuriousLoss, ReorderingWithoutLossCostsAlmostNothing)
{
    const SpuriousOutcome plain = SendBulk(Duration(), 0);
    const SpuriousOutcome reordered = SendBulk(Duration::Milliseconds(10), 0);
    EXPECT_GT(reordered.counters.recoveries, 0U);
    EXPECT_EQ(reordered.counters.undos, reordered.counters.recoveries);
    // 10 ms more of round trip, and the time in which the reordering is found out: a few per cent.
    // Reduced windows would take 8 times as long.
    EXPECT_LT(reordered.seconds, 1.05 * plain.seconds);
}

TEST(SpuriousLoss, RandomLossIsNotUndone)
{
    const SpuriousOutcome outcome = SendBulk(Duration(), 1e-3);
    EXPECT_GT(outcome.counters.recoveries, 20U);
    EXPECT_EQ(outcome.counters.undos, 0U);
}

} // namespace
