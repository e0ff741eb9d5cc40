// SPDX-License-Identifier: GPL-2.0-only
// TcpBbr3 by the rules of draft-ietf-ccwg-bbr-06, one row a rule: a script of acknowledgements and losses goes in, the
// phase, gains and bounds come out. The path of the script carries 80 Mbit/s over 100 ms, a bandwidth-delay product of
// 1 MB; one acknowledgement stands for a round trip.
#include "bbr3-script.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace
{

using namespace ns3;
using Phase = TcpBbr3::Phase;
using Ack = Bbr3Ack;
using Script = Bbr3Script;

constexpr std::uint64_t infinite = TcpBbr3::s_infinite;

struct Row
{
    std::string rule; ///< a test's name
    std::function<void(Script&)> script;
    Phase phase;
    double pacingGain;
    double cwndGain;
    std::uint64_t bwShortTerm;      ///< bit/s
    std::uint64_t inflightLongTerm; ///< bytes
};

void
PrintTo(const Row& row, std::ostream* out)
{
    *out << row.rule;
}

/// Sends `times` acknowledgements of one round that each report `lost` bytes in recovery, and ends
/// the round.
void
LoseInStartup(Script& script, int times, std::uint32_t lost)
{
    script.Send(Ack());
    script.Congestion(TcpSocketState::CA_RECOVERY);
    Ack loss = Lossy(lost);
    loss.sameRound = true;
    loss.afterMs = 10;
    script.Send(loss);
    Ack end;
    end.rateMbps = 160;     // still growing: only the loss can end Startup
    end.inFlight = 3000000; // more than the BDP: DRAIN lasts
    end.sentAt = script.Delivered();
    script.Send(times - 1, loss);
    script.Send(end);
}

std::vector<Row>
Rows()
{
    return {
        {"StartupPacesAt277", [](Script&) {}, Phase::Startup, 2.77, 2, infinite, infinite},
        {"StartupLastsWhileBandwidthGrowsByAQuarter", // 5.3.1.2
         [](Script& s)
         {
             for (const double rate : {10., 12.5, 15.7, 19.7, 24.7, 31.0, 39.0, 49.0})
             {
                 s.Send(Lossy(0, rate));
             }
         },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"StartupSurvivesTwoRoundsWithoutGrowth",
         [](Script& s) { s.Send(3, Ack()); },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"ThreeRoundsWithoutGrowthEndStartup", // full_bw_count of 3
         [](Script& s) { s.Send(4, WithInFlight(2000000)); },
         Phase::Drain,
         0.5,
         2,
         infinite,
         infinite},
        {"ApplicationLimitedRoundsDoNotEndStartup",
         [](Script& s)
         {
             Ack ack;
             ack.appLimited = true;
             s.Send(10, ack);
         },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"AcknowledgementsWithinARoundDoNotEndStartup",
         [](Script& s)
         {
             Ack ack;
             s.Send(ack);
             ack.sameRound = true;
             s.Send(10, ack);
         },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"SixLossesOverTwoPercentInRecoveryEndStartup", // 5.3.1.3: max(bdp, inflight_latest)
         [](Script& s) { LoseInStartup(s, 6, 10000); },
         Phase::Drain,
         0.5,
         2,
         infinite,
         2000000},
        {"FiveLossesDoNotEndStartup",
         [](Script& s) { LoseInStartup(s, 5, 12000); },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"LossesUnderTwoPercentDoNotEndStartup",
         [](Script& s) { LoseInStartup(s, 6, 1000); },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"LossInStartupSetsNoShortTermBound", // BBRIsProbingBW
         [](Script& s) { s.Send(2, Lossy(5000)); },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"DrainLastsWhileMoreThanTheBdpIsInFlight", // 5.3.2
         [](Script& s)
         {
             s.Send(4, WithInFlight(2000000));
             s.Send(2, WithInFlight(1100000));
         },
         Phase::Drain,
         0.5,
         2,
         infinite,
         infinite},
        {"DrainEndsAtTheBdpWhereDownHasNothingToDrain",
         [](Script& s)
         {
             s.Send(4, WithInFlight(2000000));
             s.Send(WithInFlight(1000000));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         infinite,
         infinite},
        {"DrainEndsAfterThreeRounds",
         [](Script& s)
         {
             s.Send(4, WithInFlight(2000000));
             s.Send(4, WithInFlight(1500000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         infinite},
        {"DownBecomesCruiseAtTheBdp", // BBRIsTimeToCruise
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwDown);
             s.Send(WithInFlight(1000000));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         infinite,
         infinite},
        {"DownLastsWhileMoreThanTheBdpIsInFlight",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwDown);
             s.Send(3, WithInFlight(1100000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         infinite},
        {"CruiseLastsForTwoSeconds", // bw_probe_wait of 2 to 3 s
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             s.Send(17, Ack());
         },
         Phase::ProbeBwCruise,
         1,
         2,
         infinite,
         infinite},
        {"CruiseBecomesRefillWithinThreeSeconds",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             Ack late;
             late.afterMs = 3000;
             s.Send(late);
         },
         Phase::ProbeBwRefill,
         1,
         2,
         infinite,
         infinite},
        {"SixtyThreeRoundsBringRefillBeforeTheTime", // BBRIsRenoCoexistenceProbeTime
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             Ack quick;
             quick.afterMs = 10;
             for (int i = 0; i < 63 && s.Control().GetPhase().Get() == Phase::ProbeBwCruise; ++i)
             {
                 s.Send(quick);
             }
         },
         Phase::ProbeBwRefill,
         1,
         2,
         infinite,
         infinite},
        {"RefillLastsARoundThenGoesUp",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwRefill);
             s.Send(Ack());
         },
         Phase::ProbeBwUp,
         1.25,
         2.25,
         infinite,
         infinite},
        {"UpLastsWhileBandwidthGrows",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             for (const double rate : {100., 125., 157., 197., 247.})
             {
                 s.Send(Lossy(0, rate));
             }
         },
         Phase::ProbeBwUp,
         1.25,
         2.25,
         infinite,
         infinite},
        {"UpEndsAfterThreeRoundsWithoutGrowth", // full_bw_now
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(3, WithInFlight(1250000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         infinite},
        {"LossUnderTwoPercentWhileProbingChangesNothing",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(20000));
         },
         Phase::ProbeBwUp,
         1.25,
         2.25,
         infinite,
         infinite},
        {"LossOverTwoPercentWhileProbingBoundsInflight", // (0.02 x 950,000 - 0) / 0.98 of the 50,000 were too many
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(50000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         950000 + 19387},
        {"HeavyLossWhileProbingCutsToSeventyPercentAtMost", // beta x target inflight
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(500000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         700000},
        {"ApplicationLimitedLossSetsNoBound",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             Ack ack = Lossy(50000);
             ack.inFlight = 1100000;
             ack.appLimited = true;
             s.Send(ack);
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         infinite},
        {"CruiseAnswersLossAtTheEndOfTheRoundWithTheLatestRate", // max(bw_latest, 0.7 x max_bw)
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             s.Send(Lossy(5000, 72)); // its round begins
             s.Send(Lossy(0, 72));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         80000000,
         infinite},
        {"CruiseFollowsTheRateDownRoundByRound",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             s.Send(Lossy(5000, 72));
             s.Send(Lossy(5000, 72));
             s.Send(Lossy(0, 72));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         80000000,
         infinite},
        {"CruiseNeverCutsBelowSeventyPercentARound",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             s.Send(Lossy(0, 20));
             s.Send(Lossy(5000, 20));
             s.Send(Lossy(0, 20));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         56000000,
         infinite},
        {"RefillForgetsTheShortTermBound", // BBRResetShortTermModel
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             s.Send(Lossy(0, 20));
             s.Send(Lossy(5000, 20));
             s.Send(Lossy(0, 20));
             s.Reach(Phase::ProbeBwRefill);
         },
         Phase::ProbeBwRefill,
         1,
         2,
         infinite,
         infinite},
        {"DownWaitsForHeadroom", // 0.85 x 969,387 = 823,979
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(50000));
             s.Send(2, WithInFlight(824000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         969387},
        {"DownBecomesCruiseWithHeadroom",
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(50000));
             s.Send(2, WithInFlight(823979));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         infinite,
         969387},
        {"SafeInflightRaisesTheLongTermBound", // tx_in_flight > inflight_longterm without loss
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(50000));
             s.Send(WithInFlight(990000));
         },
         Phase::ProbeBwDown,
         0.9,
         2,
         infinite,
         990000},
        {"UpAtTheLongTermBoundRaisesItByASegmentPerWindow", // probe_up_acked_per_inc = cwnd / 1
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwUp);
             s.Send(Lossy(50000));
             s.Send(WithInFlight(800000));
             Ack lower = WithInFlight(800000);
             lower.rttMs = 99.9; // no ProbeRTT for the next 5 s
             s.Send(lower);
             Ack late = WithInFlight(800000);
             late.afterMs = 3000;
             s.Send(late);
             s.Send(WithInFlight(969387)); // the end of REFILL: UP begins with cwnd at the bound
             Ack full = WithInFlight(969387);
             full.windowLimited = true;
             s.Send(full);
         },
         Phase::ProbeBwUp,
         1.25,
         2.25,
         infinite,
         969387 + 1000},
        {"FiveSecondsWithoutALowerRoundTripBringProbeRtt", // 5.3.4
         [](Script& s)
         {
             s.Fill();
             Ack late = WithInFlight(900000);
             late.afterMs = 5100;
             late.rttMs = 101;
             s.Send(late);
         },
         Phase::ProbeRtt,
         1,
         0.5,
         infinite,
         infinite},
        {"ProbeRttLastsUntilHalfTheBdpAnd200MsAndARound",
         [](Script& s)
         {
             s.Fill();
             Ack late = WithInFlight(900000);
             late.afterMs = 5100;
             late.rttMs = 101;
             s.Send(late);
             s.Send(WithInFlight(600000)); // not yet half
             s.Send(WithInFlight(500000)); // 200 ms from here
             s.Send(2, WithInFlight(500000));
         },
         Phase::ProbeRtt,
         1,
         0.5,
         infinite,
         infinite},
        {"AfterProbeRttItCruises",
         [](Script& s)
         {
             s.Fill();
             Ack late = WithInFlight(900000);
             late.afterMs = 5100;
             late.rttMs = 101;
             s.Send(late);
             s.Send(WithInFlight(500000));
             s.Send(3, WithInFlight(500000));
         },
         Phase::ProbeBwCruise,
         1,
         2,
         infinite,
         infinite},
        {"AfterProbeRttWithoutAFullPipeItStartsUp",
         [](Script& s)
         {
             s.Send(2, Ack());
             Ack late = WithInFlight(400000);
             late.afterMs = 5100;
             late.rttMs = 101;
             s.Send(late);
             s.Send(4, WithInFlight(400000));
         },
         Phase::Startup,
         2.77,
         2,
         infinite,
         infinite},
        {"RestartFromIdleSkipsProbeRtt", // 5.3.4.2
         [](Script& s)
         {
             s.Reach(Phase::ProbeBwCruise);
             s.Wait(6000);
             s.StartAfterIdle();
             Ack first = WithInFlight(10000);
             first.rttMs = 101;
             s.Send(first);
         },
         Phase::ProbeBwRefill,
         1,
         2,
         infinite,
         infinite},
    };
}

class Bbr3Table : public testing::TestWithParam<Row>
{
};

TEST_P(Bbr3Table, Holds)
{
    const Row& row = GetParam();
    Script script;
    row.script(script);
    EXPECT_EQ(static_cast<int>(script.Control().GetPhase().Get()), static_cast<int>(row.phase));
    EXPECT_DOUBLE_EQ(script.Control().GetPhase().PacingGain(), row.pacingGain);
    EXPECT_DOUBLE_EQ(script.Control().GetPhase().CwndGain(), row.cwndGain);
    EXPECT_EQ(script.Control().Model().shortTermBandwidth, row.bwShortTerm);
    EXPECT_EQ(script.Control().Model().longTermInflight, row.inflightLongTerm);
}

INSTANTIATE_TEST_SUITE_P(Draft,
                         Bbr3Table,
                         testing::ValuesIn(Rows()),
                         [](const testing::TestParamInfo<Row>& row) { return row.param.rule; });

} // namespace
