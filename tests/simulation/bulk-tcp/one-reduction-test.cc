// SPDX-License-Identifier: GPL-2.0-only
// Tests that the losses and marks of one window of data reduce the congestion window once, and those of
// the next one again, and how the pace follows.
#include "scripted-peer.h"

namespace
{

using namespace ns3;

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

// Linux's tcp_fastretrans_alert: what was sent after a timeout is of a window of its own too.
TEST_F(OneReduction, ALossAfterATimeoutReducesAgainWhereTheTimeoutIsRepaired)
{
    Open(100);
    RunToTimeout();
    const auto timeout = static_cast<std::uint32_t>(Simulator::Now().GetMilliSeconds());
    std::uint32_t now = timeout + 40;
    Ack(now, 1, timeout); // two new segments ask whether the timeout was spurious (RFC 5682)
    ASSERT_EQ(m_sent, 12U);
    for (std::uint32_t next = 1; next < 10; next = std::min(m_again.back() + 1, 10U))
    {
        now += 40;
        Ack(now, next, now - 40, {11, 12}); // the first of the two is lost, as all before it were
        ASSERT_EQ(CongState(), TcpSocketState::CA_LOSS);
        EXPECT_EQ(Tcb().m_ssThresh, 5 * m_length); // half of the ten that were out
    }
    Ack(now + 40, 10, now, {11, 12});
    EXPECT_EQ(CongState(), TcpSocketState::CA_RECOVERY);
    EXPECT_LT(Tcb().m_ssThresh, 5 * m_length);
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

// Linux's tcp_update_pacing_rate: what is out counts, SACKed packets too, while the window comes down.
TEST_F(OneReduction, ThePaceComesDownAsWhatIsOutDoes)
{
    m_options.pacing = true;
    Open(10);
    LoseTheFirst();
    ASSERT_LT(Tcb().m_cWnd, 10 * m_length);
    const double segmentsPerSecond = 1.2 * 10 / 0.040; // 120 % of what is out in a round trip
    EXPECT_NEAR(static_cast<double>(Tcb().m_pacingRate.Get().GetBitRate()),
                segmentsPerSecond * m_length * 8,
                1000);
}

} // namespace
