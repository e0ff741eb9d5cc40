// SPDX-License-Identifier: GPL-2.0-only
// Checks the rules of draft-ietf-ccwg-bbr-06 that a row of bbr3-table-test can't state: pacing
// rates, windows, the bandwidth filter and the times between probes.
#include "bbr3-script.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

namespace
{

using namespace ns3;
using Phase = TcpBbr3::Phase;
using Ack = Bbr3Ack;
using Script = Bbr3Script;

TEST(Bbr3, PacesOnePercentBelowTheBandwidthInCruise) // PacingMarginPercent
{
    Script script;
    script.Reach(Phase::ProbeBwCruise);
    EXPECT_EQ(script.State().m_pacingRate.Get().GetBitRate(), 79200000U);
}

TEST(Bbr3, PacesAtTheBandwidthAfterIdleWhateverThePhase) // 5.4.1
{
    Script script;
    script.Reach(Phase::ProbeBwUp);
    EXPECT_EQ(script.State().m_pacingRate.Get().GetBitRate(), 99000000U);
    script.StartAfterIdle();
    EXPECT_EQ(script.State().m_pacingRate.Get().GetBitRate(), 79200000U);
}

TEST(Bbr3,
     PacesTheFirstPacketsByTheInitialWindow) // BBRInitPacingRate: 2.77 x 10 segments per ms
{
    Script script;
    EXPECT_EQ(script.State().m_pacingRate.Get().GetBitRate(), 221600000U);
    script.State().m_lastRtt = MilliSeconds(100);
    script.Congestion(TcpSocketState::CA_OPEN);
    EXPECT_EQ(script.State().m_pacingRate.Get().GetBitRate(), 2216000U);
}

TEST(Bbr3, WindowIsTwiceTheBdpAndTheAggregation)
{
    Script script;
    script.Reach(Phase::ProbeBwCruise);
    // 2 x 1 MB; an acknowledgement of a whole round trip is 1 MB of aggregation.
    EXPECT_EQ(script.State().m_cWnd, 3000000U);
}

TEST(Bbr3, CruiseLeavesHeadroomBelowTheLongTermBound)
{
    Script script;
    script.Reach(Phase::ProbeBwUp);
    script.Send(Lossy(50000));
    script.Send(2, WithInFlight(800000));
    EXPECT_EQ(script.State().m_cWnd, 823979U); // 0.85 x 969,387
}

TEST(Bbr3, ATimeoutGivesTheWindowBackWhenItIsRepaired) // 5.6.4.4
{
    Script script;
    script.Reach(Phase::ProbeBwCruise);
    const std::uint32_t before = script.State().m_cWnd;
    script.Congestion(TcpSocketState::CA_LOSS);
    script.State().m_cWnd = bbr3ScriptSegment;
    Ack small;
    small.sameRound = true;
    script.Send(small);
    EXPECT_EQ(script.State().m_cWnd, 4 * bbr3ScriptSegment); // MinPipeCwnd
    script.Congestion(TcpSocketState::CA_OPEN);
    EXPECT_EQ(script.State().m_cWnd, before);
}

TEST(Bbr3, RatesOfProbeRttAreNoBandwidth) // MarkConnectionAppLimited
{
    Script script;
    script.Fill();
    Ack late = WithInFlight(900000);
    late.afterMs = 5100;
    late.rttMs = 101;
    script.Send(late);
    Ack slow = WithInFlight(500000);
    slow.rateMbps = 40;
    script.Send(4, slow);
    ASSERT_EQ(script.Control().GetPhase().Get(), Phase::ProbeBwCruise);
    EXPECT_EQ(script.Control().Model().MaxBandwidth(), 80000000U);
}

TEST(Bbr3, AFallenBandwidthIsForgottenAfterTwoCycles) // MaxBwFilterLen
{
    Script script;
    script.Reach(Phase::ProbeBwCruise);
    script.Send(130, Lossy(0, 40)); // 13 s: cycles last 2 to 3 s
    EXPECT_EQ(script.Control().Model().MaxBandwidth(), 40000000U);
}

TEST(Bbr3, TimesBetweenProbesDifferByStream)
{
    const auto rounds = [](std::int64_t stream)
    {
        Script script(stream);
        script.Reach(Phase::ProbeBwCruise);
        Ack quick;
        quick.afterMs = 1;
        int count = 0;
        quick.sameRound = true;
        for (; script.Control().GetPhase().Get() == Phase::ProbeBwCruise; ++count)
        {
            script.Send(quick);
        }
        return count;
    };
    EXPECT_EQ(rounds(5), rounds(5));
    EXPECT_NE(rounds(5), rounds(6));
}

} // namespace
