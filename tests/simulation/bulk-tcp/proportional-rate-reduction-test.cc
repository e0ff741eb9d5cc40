// SPDX-License-Identifier: GPL-2.0-only
// Checks how fast the window comes down in recovery by the formulas of RFC 9937, section 6.2.
#include "bulk-tcp/model/proportional-rate-reduction.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3;

constexpr std::uint32_t reducedSegment = 1000; ///< bytes

/// A window of 100 segments that comes down to 50.
class Reduction : public testing::Test
{
  protected:
    Reduction()
    {
        tcb->m_segmentSize = reducedSegment;
        tcb->m_ssThresh = 50 * reducedSegment;
    }

    /// Lets recovery begin with `pipe` segments in flight and the fast retransmission go out.
    void Enter(std::uint32_t pipe)
    {
        tcb->m_bytesInFlight = pipe * reducedSegment;
        reduction->EnterRecovery(tcb, 3, 100 * reducedSegment, reducedSegment);
        reduction->UpdateBytesSent(reducedSegment);
    }

    /// Returns how many segments may go out after an acknowledgement that delivers one, with `pipe`
    /// in flight.
    double MaySend(std::uint32_t pipe, bool isSafe)
    {
        tcb->m_bytesInFlight = pipe * reducedSegment;
        reduction->SetSafe(isSafe);
        reduction->DoRecovery(tcb, reducedSegment);
        return (static_cast<double>(tcb->m_cWnd.Get()) - pipe * reducedSegment) / reducedSegment;
    }

    Ptr<TcpSocketState> tcb = CreateObject<TcpSocketState>();
    Ptr<ProportionalRateReduction> reduction = CreateObject<ProportionalRateReduction>();
};

// CEIL(prr_delivered ssthresh / RecoverFS) - prr_out, in segments as in Linux's tcp_cwnd_reduction:
// after 2, 3, 4 and 5 delivered segments 1, 2, 2 and 3 may have gone.
TEST_F(Reduction, AboveTheThresholdHalfOfWhatIsDeliveredGoesOut)
{
    Enter(99);
    EXPECT_EQ(MaySend(98, true), 0);
    EXPECT_EQ(MaySend(97, true), 1);
    reduction->UpdateBytesSent(reducedSegment);
    EXPECT_EQ(MaySend(97, true), 0);
    EXPECT_EQ(MaySend(96, true), 1);
}

// What has been delivered and not been sent goes out, and no more (PRR-CRB).
TEST_F(Reduction, BelowItTheWindowConservesPacketsWhileLossesShow)
{
    Enter(40);
    EXPECT_EQ(MaySend(40, false), 1);
    reduction->UpdateBytesSent(reducedSegment);
    EXPECT_EQ(MaySend(40, false), 1);
}

// An acknowledgement that advances and shows no further loss adds a segment (PRR-SSRB).
TEST_F(Reduction, BelowItASafeAcknowledgementAddsASegment)
{
    Enter(40);
    EXPECT_EQ(MaySend(40, true), 2);
    reduction->UpdateBytesSent(2 * reducedSegment);
    EXPECT_EQ(MaySend(41, true), 2);
}

TEST_F(Reduction, NothingTakesTheWindowAboveTheThreshold)
{
    Enter(40);
    EXPECT_EQ(MaySend(49, true), 1);
    EXPECT_EQ(MaySend(50, true), 0);
}

TEST_F(Reduction, TheFastRetransmissionGoesOutInAnyCase)
{
    tcb->m_bytesInFlight = 99 * reducedSegment;
    reduction->EnterRecovery(tcb, 3, 100 * reducedSegment, 0);
    EXPECT_EQ(tcb->m_cWnd.Get(), 100 * reducedSegment);
}

} // namespace
