// SPDX-License-Identifier: GPL-2.0-only
// Implements the functions that the socket calls, and the order of the phases
// (draft-ietf-ccwg-bbr-06, 5.2 to 5.4 and 5.5.11).
#include "bulk-tcp/model/tcp-bbr3.h"

#include "bulk-tcp/model/log-line.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

const LogComponent bbr3Log("TcpBbr3", __FILE__);

} // namespace

TcpBbr3::TcpBbr3() = default;

void
TcpBbr3::SetStream(std::int64_t stream)
{
    m_probeBw.SetStream(stream);
}

std::string
TcpBbr3::GetName() const
{
    return "TcpBbr3";
}

void
TcpBbr3::Init(Ptr<TcpSocketState> tcb)
{
    tcb->m_pacing = true;
    m_model.constants = *this;
    m_model.Init(Simulator::Now().GetNanoSeconds());
    m_phase.Enter(Phase::Startup, m_model.constants);
    m_control.InitPacingRate(*tcb, m_phase);
}

std::uint32_t
TcpBbr3::GetSsThresh(Ptr<const TcpSocketState> tcb, std::uint32_t /*bytesInFlight*/)
{
    return tcb->m_ssThresh;
}

void
TcpBbr3::IncreaseWindow(Ptr<TcpSocketState> /*tcb*/, std::uint32_t /*segmentsAcked*/)
{
}

void
TcpBbr3::CongestionStateSet(Ptr<TcpSocketState> tcb, TcpSocketState::TcpCongState_t newState)
{
    if (newState == TcpSocketState::CA_RECOVERY || newState == TcpSocketState::CA_LOSS)
    {
        m_control.SaveWindow(*tcb, m_phase);
        if (newState == TcpSocketState::CA_LOSS)
        {
            m_model.NoteLoss();
        }
    }
    else if (newState == TcpSocketState::CA_OPEN)
    {
        if (Bbr3Control::IsRecovering(*tcb))
        {
            m_control.RestoreWindow(*tcb);
        }
        m_control.InitPacingRate(*tcb, m_phase);
    }
}

void
TcpBbr3::CwndEvent(Ptr<TcpSocketState> tcb, TcpSocketState::TcpCAEvent_t event)
{
    // Nothing is in flight although the window is open. Unless all was lost, the application was the
    // limit (5.4.1).
    if (event == TcpSocketState::CA_EVENT_TX_START && m_model.Delivered() > 0 &&
        !Bbr3Control::IsRecovering(*tcb))
    {
        RestartFromIdle(*tcb);
    }
}

bool
TcpBbr3::HasCongControl() const
{
    return true;
}

void
TcpBbr3::CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& connection,
                     const TcpRateOps::TcpRateSample& sample)
{
    const Phase before = m_phase.Get();
    m_model.Take(*tcb, connection, sample);
    HandleCongestion(*tcb);
    if (m_model.rs.newlyAcked > 0)
    {
        UpdateModelAndState(*tcb);
        m_control.InitPacingRate(*tcb, m_phase);
        m_control.SetPacingRate(*tcb, m_model, m_phase.PacingGain(), m_startup.IsFull());
        m_control.SetWindow(*tcb, m_model, m_phase, m_startup.IsFull());
    }
    if (!m_phase.Is(before))
    {
        LogLine(bbr3Log,
                LOG_INFO,
                "enters ",
                m_phase.Name(),
                ", bandwidth ",
                m_model.Bandwidth(),
                " bit/s, window ",
                tcb->m_cWnd.Get(),
                " bytes");
    }
}

Ptr<TcpCongestionOps>
TcpBbr3::Fork()
{
    return CopyObject<TcpBbr3>(this);
}

/// Saves the bounds once per recovery, at its begin, as the text of 5.5.11.1 says. The pseudocode of
/// 5.5.10.2 also saves them at the first loss of each round, but a loss that ends a probe begins such
/// a round, and the next loss of the same burst would overwrite what is to be restored.
void
TcpBbr3::OnRecoveryBegins(Ptr<TcpSocketState> /*tcb*/)
{
    m_saved = m_model; // CongestionStateSet() saves the window
    m_endedByLoss.reset();
}

void
TcpBbr3::OnSpuriousRecovery(Ptr<TcpSocketState> tcb)
{
    m_control.RestoreWindow(*tcb);
    m_model.ForgetLossInRound();
    m_startup.Reset(0);
    m_model.shortTermBandwidth = std::max(m_model.shortTermBandwidth, m_saved.shortTermBandwidth);
    m_model.shortTermInflight = std::max(m_model.shortTermInflight, m_saved.shortTermInflight);
    m_model.longTermInflight = std::max(m_model.longTermInflight, m_saved.longTermInflight);
    const std::optional<Phase> ended = std::exchange(m_endedByLoss, std::nullopt);
    if (ended && !m_phase.Is(*ended))
    {
        ReturnTo(*ended);
    }
}

void
TcpBbr3::ReturnTo(Phase phase)
{
    const bool isProbingRtt = m_phase.Is(Phase::ProbeRtt);
    if (phase == Phase::Startup)
    {
        m_startup.Reopen();
        if (!isProbingRtt)
        {
            m_phase.Enter(Phase::Startup, m_model.constants);
        }
    }
    else if (!isProbingRtt)
    {
        m_probeBw.StartRefill(m_model, m_phase);
    }
}

void
TcpBbr3::HandleCongestion(const TcpSocketState& tcb)
{
    if (m_model.rs.newlyLost == 0 && !m_model.rs.marked)
    {
        return;
    }
    m_model.NoteLoss();
    if (m_probeBw.OnCongestion(tcb, m_model, m_phase))
    {
        m_endedByLoss = Phase::ProbeBwUp;
        m_probeBw.StartDown(m_model, m_phase);
    }
}

void
TcpBbr3::UpdateModelAndState(TcpSocketState& tcb)
{
    m_model.UpdateLatestDeliverySignals();
    m_model.UpdateCongestionSignals(tcb, m_phase.IsProbing());
    m_model.UpdateAckAggregation(tcb, m_startup.IsFull());
    m_startup.CheckBandwidth(m_model);
    LeaveStartupWhenFull(tcb);
    if (m_phase.Is(Phase::Drain) && m_drain.IsDone(tcb, m_model))
    {
        m_probeBw.StartDown(m_model, m_phase);
    }
    if (m_startup.IsFull())
    {
        m_probeBw.Update(tcb, m_model, m_phase, m_startup);
    }
    CheckProbeRtt(tcb, m_model.UpdateMinRtt());
    m_model.AdvanceLatestDeliverySignals();
    m_model.BoundBandwidth();
}

void
TcpBbr3::LeaveStartupWhenFull(const TcpSocketState& tcb)
{
    if (m_startup.CheckLoss(tcb, m_model))
    {
        m_endedByLoss = Phase::Startup;
    }
    if (m_phase.Is(Phase::Startup) && m_startup.IsFull())
    {
        m_phase.Enter(Phase::Drain, m_model.constants);
        m_drain.Begin(m_model.RoundCount());
    }
}

void
TcpBbr3::CheckProbeRtt(TcpSocketState& tcb, bool isDue)
{
    if (!m_phase.Is(Phase::ProbeRtt) && isDue && !m_isIdleRestart)
    {
        m_control.SaveWindow(tcb, m_phase);
        m_phase.Enter(Phase::ProbeRtt, m_model.constants);
        m_probeBw.StopProbing();
        m_probeRtt.Begin(m_model);
    }
    if (m_phase.Is(Phase::ProbeRtt) && m_probeRtt.Update(tcb, m_model))
    {
        LeaveProbeRttWhenDone(tcb, m_model.rs.nowNs);
    }
    if (m_model.rs.delivered > 0)
    {
        m_isIdleRestart = false;
    }
}

void
TcpBbr3::LeaveProbeRttWhenDone(TcpSocketState& tcb, std::int64_t nowNs)
{
    if (!m_probeRtt.IsDone(nowNs))
    {
        return;
    }
    m_model.RestartProbeRttInterval(nowNs);
    m_control.RestoreWindow(tcb);
    m_model.ResetShortTermModel();
    if (m_startup.IsFull())
    {
        m_probeBw.StartDown(m_model, m_phase);
        m_phase.Enter(Phase::ProbeBwCruise, m_model.constants);
    }
    else
    {
        m_phase.Enter(Phase::Startup, m_model.constants);
    }
}

void
TcpBbr3::RestartFromIdle(TcpSocketState& tcb)
{
    const std::int64_t now = Simulator::Now().GetNanoSeconds();
    m_isIdleRestart = true;
    m_model.RestartAckAggregation(now);
    if (m_phase.IsProbeBw())
    {
        m_control.SetPacingRate(tcb, m_model, 1, m_startup.IsFull());
    }
    else if (m_phase.Is(Phase::ProbeRtt))
    {
        LeaveProbeRttWhenDone(tcb, now);
    }
}

} // namespace ns3
