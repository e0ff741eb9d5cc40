// SPDX-License-Identifier: GPL-2.0-only
// The test cases A.18 and A.19 of draft-ietf-ccwg-bbr-06, the undo of a spurious recovery (5.5.11),
// by a script of acknowledgements and over packets; numbers in comments are the case's steps. With
// them, what the draft says of an undo in other phases. doc/bbr3.md has the table of verdicts.
#include "bbr3-case-path.h"
#include "bbr3-script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace
{

using namespace ns3;
using UndoPhase = TcpBbr3::Phase;

constexpr std::uint64_t noBound = TcpBbr3::s_infinite;

Bbr3Ack
Losing(std::uint32_t lost)
{
    Bbr3Ack ack;
    ack.lost = lost;
    ack.sameRound = true;
    ack.afterMs = 1;
    return ack;
}

/// Sets a long-term bound of 969,387 bytes by a probe that loses 50,000 bytes, and goes to the
/// next probe.
void
ReachUpWithBound(Bbr3Script& script)
{
    script.Reach(UndoPhase::ProbeBwUp);
    Bbr3Ack lossy;
    lossy.lost = 50000;
    script.Send(lossy);
    ASSERT_EQ(script.Control().Model().longTermInflight, 969387U);
    Bbr3Ack round;
    round.inFlight = 800000;
    script.Send(round);
    round.rttMs = 99.9; // no ProbeRTT for the next 5 s
    script.Send(round);
    round.rttMs = 100;
    round.afterMs = 3000;
    script.Send(round);
    round.afterMs = 100;
    script.Send(round); // the end of REFILL
    ASSERT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeBwUp);
}

/// Goes through a spurious recovery of `kind` in ProbeBW_UP.
void
UndoInProbeUp(TcpSocketState::TcpCongState_t kind)
{
    Bbr3Script script;
    ReachUpWithBound(script);
    const std::uint32_t window = script.State().m_cWnd;
    script.BeginRecovery(kind);                                       // 1
    EXPECT_EQ(script.Control().SavedBounds().shortTermBandwidth, noBound); // 2
    EXPECT_EQ(script.Control().SavedBounds().shortTermInflight, noBound);
    EXPECT_EQ(script.Control().SavedBounds().longTermInflight, 969387U);
    if (kind == TcpSocketState::CA_LOSS)
    {
        script.State().m_cWnd = bbr3ScriptSegment;
    }
    script.Send(Losing(100000));
    // A timeout's window of a segment makes the next probe due at once (5.3.3.8.2: T_reno).
    ASSERT_EQ(script.Control().GetPhase().Get(),
              kind == TcpSocketState::CA_LOSS ? UndoPhase::ProbeBwRefill : UndoPhase::ProbeBwDown);
    ASSERT_LT(script.Control().Model().longTermInflight, 969387U);
    script.Send(5, Losing(10000)); // the rest of the burst
    Bbr3Ack round;
    round.inFlight = 960000;
    round.rateMbps = 40;
    script.Send(2, round);
    if (kind == TcpSocketState::CA_RECOVERY) // a probe, as after the timeout, sets no such bounds
    {
        ASSERT_LT(script.Control().Model().shortTermBandwidth, noBound);
        ASSERT_LT(script.Control().Model().shortTermInflight, noBound);
    }

    script.Undo(); // 3
    EXPECT_EQ(script.Control().Model().shortTermBandwidth, noBound);
    EXPECT_EQ(script.Control().Model().shortTermInflight, noBound);
    EXPECT_EQ(script.Control().Model().longTermInflight, 969387U);
    EXPECT_GE(script.State().m_cWnd, window);
    EXPECT_EQ(script.Control().GetPhase().Get(),
              UndoPhase::ProbeBwRefill); // 4, by way of a round of REFILL
    script.Send(round);
    EXPECT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeBwUp);
}

TEST(Bbr3DraftCases, A18HandlingSpuriousFastRecovery)
{
    UndoInProbeUp(TcpSocketState::CA_RECOVERY);
}

TEST(Bbr3DraftCases, A19HandlingSpuriousRtoRecovery)
{
    UndoInProbeUp(TcpSocketState::CA_LOSS);
}

/// Returns a run that is in ProbeBW_UP, without a loss so far.
std::unique_ptr<Bbr3Case>
RunInProbeUp()
{
    auto run = std::make_unique<Bbr3Case>(Bbr3Case::Path{100, 40, 200});
    run->FeedAll();
    EXPECT_TRUE(run->RunUntil(UndoPhase::ProbeBwUp, 60));
    run->RunFor(0.04);
    EXPECT_EQ(run->Control().GetPhase().Get(), UndoPhase::ProbeBwUp);
    return run;
}

/// Expects that the connection returns to ProbeBW_UP without bounds, though its probe was ended.
void
ExpectReturnToProbeUp(Bbr3Case& run)
{
    EXPECT_EQ(run.Control().SavedBounds().shortTermBandwidth, noBound); // 2
    EXPECT_EQ(run.Control().SavedBounds().shortTermInflight, noBound);
    EXPECT_EQ(run.Control().SavedBounds().longTermInflight, noBound);
    ASSERT_TRUE(run.RunUntil([&] { return run.Sender().GetCounters().undos == 1; }, 1));
    EXPECT_EQ(run.Control().Model().shortTermBandwidth, noBound); // 3
    EXPECT_EQ(run.Control().Model().shortTermInflight, noBound);
    EXPECT_EQ(run.Control().Model().longTermInflight, noBound);
    EXPECT_EQ(run.Control().GetPhase().Get(), UndoPhase::ProbeBwRefill); // 4
    ASSERT_TRUE(run.RunUntilLeaves(UndoPhase::ProbeBwRefill, 0.2));
    EXPECT_EQ(run.Control().GetPhase().Get(), UndoPhase::ProbeBwUp);
    EXPECT_EQ(run.Bottleneck().dropped, 0U);
}

TEST(Bbr3DraftCases, A18HandlingSpuriousFastRecoveryOverPackets)
{
    const auto run = RunInProbeUp();
    run->Bottleneck().delayMs = [count = 40](const PacketRecord& record) mutable
    { return record.kind == PacketRecord::Kind::Data && count-- > 0 ? 30.0 : 0.0; }; // 1
    ASSERT_TRUE(run->RunUntilLeaves(UndoPhase::ProbeBwUp, 0.3));
    ASSERT_EQ(run->Control().GetPhase().Get(), UndoPhase::ProbeBwDown);
    ASSERT_LT(run->Control().Model().longTermInflight, noBound);
    EXPECT_EQ(run->State().m_congState, TcpSocketState::CA_RECOVERY);
    ExpectReturnToProbeUp(*run);
}

TEST(Bbr3DraftCases, A19HandlingSpuriousRtoRecoveryOverPackets)
{
    const auto run = RunInProbeUp();
    const std::uint32_t window = run->State().m_cWnd;
    const std::int64_t endNs = NowNs() + 600000000;
    run->Bottleneck().delayMs = [endNs](const PacketRecord&) // 1: a pause, longer than the timeout
    { return static_cast<double>(std::max<std::int64_t>(endNs - NowNs(), 0)) / 1e6; };
    run->RunFor(0.5);
    ASSERT_EQ(run->Sender().GetCounters().timeouts, 1U);
    ASSERT_EQ(run->State().m_congState, TcpSocketState::CA_LOSS);
    ASSERT_EQ(run->State().m_cWnd, Bbr3Case::s_segment);
    ASSERT_TRUE(run->RunUntil([&] { return run->Sender().GetCounters().undos > 0; }, 0.15));
    EXPECT_EQ(run->Control().Model().shortTermBandwidth, noBound); // 3
    EXPECT_EQ(run->Control().Model().shortTermInflight, noBound);
    EXPECT_EQ(run->Control().Model().longTermInflight, noBound);
    EXPECT_GE(run->State().m_cWnd, window);
    run->RunFor(0.15);
    EXPECT_EQ(run->Control().GetPhase().Get(), UndoPhase::ProbeBwUp); // 4: it has never been left
    EXPECT_EQ(run->transitions.back().to, UndoPhase::ProbeBwUp);
    EXPECT_EQ(run->Sender().GetCounters().undos, 1U);
    EXPECT_EQ(run->Sender().GetCounters().recoveries, 0U);
    EXPECT_EQ(run->Sender().GetCounters().retransmittedPackets, 1U); // the timeout's
    EXPECT_EQ(run->Bottleneck().dropped, 0U);
}

/// Ends Startup by loss: six acknowledgements of a round report 10,000 bytes each.
void
LoseStartup(Bbr3Script& script)
{
    script.Send(Bbr3Ack());
    script.BeginRecovery(TcpSocketState::CA_RECOVERY);
    script.Send(Losing(10000));
    Bbr3Ack end;
    end.rateMbps = 160;
    end.inFlight = 3000000;
    end.sentAt = script.Delivered();
    script.Send(5, Losing(10000));
    script.Send(end);
    ASSERT_EQ(script.Control().GetPhase().Get(), UndoPhase::Drain);
    ASSERT_TRUE(script.Control().FullPipe().IsFull());
}

TEST(Bbr3Undo, ReturnsToStartup)
{
    Bbr3Script script;
    LoseStartup(script);
    script.Undo();
    EXPECT_EQ(script.Control().GetPhase().Get(), UndoPhase::Startup);
    EXPECT_FALSE(script.Control().FullPipe().IsFull());
    EXPECT_FALSE(script.Control().FullPipe().IsFullNow());
    EXPECT_EQ(script.Control().Model().longTermInflight, noBound);
}

TEST(Bbr3Undo, OpensThePipeAgainWithoutLeavingProbeRtt)
{
    Bbr3Script script;
    LoseStartup(script);
    Bbr3Ack late;
    late.afterMs = 5100;
    late.rttMs = 101;
    script.Send(late);
    ASSERT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeRtt);
    script.Undo();
    EXPECT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeRtt);
    EXPECT_FALSE(script.Control().FullPipe().IsFull());
    Bbr3Ack few;
    few.inFlight = 400000;
    script.Send(4, few);
    EXPECT_EQ(script.Control().GetPhase().Get(), UndoPhase::Startup); // 5.3.4.4
}

TEST(Bbr3Undo, RestoresTheBoundsOfCruiseAndStaysThere)
{
    Bbr3Script script;
    script.Reach(UndoPhase::ProbeBwCruise);
    script.BeginRecovery(TcpSocketState::CA_RECOVERY);
    Bbr3Ack slow;
    slow.rateMbps = 20;
    slow.lost = 5000;
    script.Send(2, slow);
    ASSERT_LT(script.Control().Model().shortTermBandwidth, noBound);
    script.Undo();
    EXPECT_EQ(script.Control().Model().shortTermBandwidth, noBound);
    EXPECT_EQ(script.Control().Model().shortTermInflight, noBound);
    EXPECT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeBwCruise);
}

TEST(Bbr3Undo, HappensOncePerRecovery)
{
    Bbr3Script script;
    ReachUpWithBound(script);
    script.BeginRecovery(TcpSocketState::CA_RECOVERY);
    script.Send(Losing(100000));
    script.Undo();
    ASSERT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeBwRefill);
    Bbr3Ack round;
    round.inFlight = 800000;
    script.Send(round);
    ASSERT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeBwUp);
    script.Reach(UndoPhase::ProbeBwDown);
    script.BeginRecovery(TcpSocketState::CA_RECOVERY);
    script.Undo(); // of a recovery that ended no probe
    EXPECT_EQ(script.Control().GetPhase().Get(), UndoPhase::ProbeBwDown);
}

TEST(Bbr3Undo, ATimeoutIsNoRestartFromIdle) // 5.4.1: C.app_limited
{
    Bbr3Script script;
    script.Reach(UndoPhase::ProbeBwCruise);
    script.BeginRecovery(TcpSocketState::CA_LOSS);
    script.StartAfterIdle();
    EXPECT_FALSE(script.Control().IsIdleRestart());
}

} // namespace
