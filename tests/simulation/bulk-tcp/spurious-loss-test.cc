// SPDX-License-Identifier: GPL-2.0-only
// Tests the undo of spurious recoveries and timeouts on a sender that gets acknowledgements made by
// hand: Eifel (RFC 3522, 4015), DSACK (RFC 3708) and F-RTO (RFC 5682), each beside a real loss that
// must not be undone.
#include "bulk-tcp/model/congestion-control-types.h"
#include "bulk-tcp/model/spurious-loss-listener.h"
#include "express-path-helper.h"
#include "scripted-peer.h"

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
