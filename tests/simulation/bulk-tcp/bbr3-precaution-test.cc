// SPDX-License-Identifier: GPL-2.0-only
// TcpBbr3's precautionary bandwidth probing (draft-ietf-ccwg-bbr-06, 5.3.3.6): after a probe that
// lost too much the next one is short, and where that does no harm a full one follows. With it, what
// C.is_cwnd_limited (2.2) does for a probe at the long-term bound, and what a mark of ECN does (3.7).
#include "bbr3-script.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3;
using BbrPhase = TcpBbr3::Phase;

/// Returns an acknowledgement of one segment within a round.
Bbr3Ack
SmallAck(std::uint32_t inFlight)
{
    Bbr3Ack ack;
    ack.inFlight = inFlight;
    ack.sameRound = true;
    ack.afterMs = 1;
    return ack;
}

Bbr3Ack
RoundWith(std::uint32_t inFlight)
{
    Bbr3Ack ack;
    ack.inFlight = inFlight;
    return ack;
}

/// A probe that lost too much has set the long-term bound to 969,387 bytes, and the next probe has
/// begun below it, with 960,000 bytes in flight.
class Bbr3Precaution : public testing::Test
{
  protected:
    static constexpr std::uint64_t s_bound = 969387; ///< 950,000 + 0.02 x 950,000 / 0.98

    Bbr3Precaution()
    {
        m_script.Reach(BbrPhase::ProbeBwUp);
        Bbr3Ack lossy;
        lossy.lost = 50000;
        m_script.Send(lossy);
        Send(800000);
        Bbr3Ack lower = RoundWith(800000);
        lower.rttMs = 99.9; // no ProbeRTT for the next 5 s
        m_script.Send(lower);
        Bbr3Ack late = RoundWith(800000);
        late.afterMs = 3000;
        m_script.Send(late);
        Send(960000); // the end of REFILL
        EXPECT_EQ(Phase(), BbrPhase::ProbeBwUp);
        EXPECT_EQ(Bound(), s_bound);
    }

    void Send(std::uint32_t inFlight)
    {
        m_script.Send(RoundWith(inFlight));
    }

    BbrPhase Phase() const
    {
        return m_script.Control().GetPhase().Get();
    }

    std::uint64_t Bound() const
    {
        return m_script.Control().Model().longTermInflight;
    }

    Bbr3Script m_script;
};

TEST_F(Bbr3Precaution, EndsTheProbeWhenTheFlightReachesTheBound)
{
    EXPECT_TRUE(m_script.Control().ProbeBw().WasTooHigh());
    m_script.Send(SmallAck(s_bound));
    EXPECT_EQ(Phase(), BbrPhase::ProbeBwDown);
    EXPECT_FALSE(m_script.Control().ProbeBw().WasTooHigh());
    EXPECT_EQ(Bound(), s_bound);
}

TEST_F(Bbr3Precaution, LetsTheProbeLastBelowTheBound)
{
    m_script.Send(5, SmallAck(968000));
    EXPECT_EQ(Phase(), BbrPhase::ProbeBwUp);
}

TEST_F(Bbr3Precaution, RepeatsAShortProbeWithoutLossAtOnceAndLetsItStayAtTheBound)
{
    m_script.Send(SmallAck(s_bound));
    Send(960000);
    EXPECT_EQ(Phase(), BbrPhase::ProbeBwRefill);
    Send(960000);
    ASSERT_EQ(Phase(), BbrPhase::ProbeBwUp);
    m_script.Send(3, SmallAck(s_bound));
    EXPECT_EQ(Phase(), BbrPhase::ProbeBwUp);
}

TEST_F(Bbr3Precaution, DoesNotRepeatAShortProbeWithLoss)
{
    m_script.Send(SmallAck(s_bound));
    Bbr3Ack lossy = SmallAck(s_bound);
    lossy.lost = 50000;
    m_script.Send(lossy);
    Send(800000);
    EXPECT_EQ(Phase(), BbrPhase::ProbeBwDown);
    EXPECT_TRUE(m_script.Control().ProbeBw().WasTooHigh());
    EXPECT_EQ(Bound(), 910000U + 18571); // 0.02 x 910,000 / 0.98 of the 50,000 were too many
}

TEST_F(Bbr3Precaution, AWindowThatWasFullAtAnyTimeInTheRoundKeepsUpAndGrowsTheBound)
{
    // No round brings a higher rate, so three of them would end UP if the window had not been full.
    for (int round = 0; round < 4; ++round)
    {
        Bbr3Ack full = RoundWith(static_cast<std::uint32_t>(Bound()));
        full.windowLimited = true;
        m_script.Send(full);
        m_script.Send(SmallAck(900000));
        EXPECT_EQ(Phase(), BbrPhase::ProbeBwUp) << round;
    }
    EXPECT_GE(Bound(), s_bound + 1000 * (1 + 2 + 4 + 8)); // segments, doubled each round
}

TEST(Bbr3Marks, OneEndsAProbeAndBoundsTheFlight)
{
    Bbr3Script script;
    script.Reach(BbrPhase::ProbeBwUp);
    script.State().m_ecnState = TcpSocketState::ECN_ECE_RCVD;
    script.Send(RoundWith(1100000));
    EXPECT_EQ(script.Control().GetPhase().Get(), BbrPhase::ProbeBwDown);
    EXPECT_EQ(script.Control().Model().longTermInflight, 1100000U); // the flight that was marked
}

TEST(Bbr3Marks, OneInARoundOfCruiseBoundsTheBandwidth)
{
    Bbr3Script script;
    script.Reach(BbrPhase::ProbeBwCruise);
    Bbr3Ack slow;
    slow.rateMbps = 20;
    script.Send(slow);
    script.State().m_ecnState = TcpSocketState::ECN_ECE_RCVD;
    script.Send(slow);
    script.State().m_ecnState = TcpSocketState::ECN_IDLE;
    script.Send(slow);
    EXPECT_EQ(script.Control().Model().shortTermBandwidth, 56000000U); // 0.7 x 80 Mbit/s
}

} // namespace
