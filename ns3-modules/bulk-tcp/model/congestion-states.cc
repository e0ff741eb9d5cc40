// SPDX-License-Identifier: GPL-2.0-only
// Follows ns-3's tcp-socket-base.cc from ReceivedAck to ProcessAck, with losses found by a
// LossRecovery.
#include "bulk-tcp/model/congestion-states.h"

#include <ns3/tcp-prr-recovery.h>

namespace ns3
{

namespace
{

/// Makes the object that leads the window down to the threshold in a recovery.
Ptr<TcpRecoveryOps>
MakeReduction(const WindowRules& rules)
{
    if (rules.hasPrrOfNs3)
    {
        return CreateObject<TcpPrrRecovery>();
    }
    return CreateObject<ProportionalRateReduction>();
}

} // namespace

CongestionStates::CongestionStates(CongestionWindow& window, LossRecovery& losses)
    : m_window(window),
      m_losses(losses),
      m_state(window.State()),
      m_tcb(*m_state),
      m_control(window.Control()),
      m_reduction(MakeReduction(window.Rules())),
      m_proportional(dynamic_cast<ProportionalRateReduction*>(PeekPointer(m_reduction))),
      m_undo(losses, window)
{
}

std::uint32_t
CongestionStates::InFlight() const
{
    return static_cast<std::uint32_t>(m_losses.InFlight());
}

void
CongestionStates::SetState(TcpSocketState::TcpCongState_t state)
{
    m_control->CongestionStateSet(m_state, state);
    m_tcb.m_congState = state;
}

void
CongestionStates::Establish(bool countsMarks)
{
    m_countsMarks = countsMarks;
    SetState(TcpSocketState::CA_OPEN);
    m_tcb.m_nextTxSequence = SequenceNumber32(1);
    m_tcb.m_highTxMark = SequenceNumber32(1);
    m_tcb.m_ecnState = m_tcb.m_useEcn == TcpSocketState::Off ? TcpSocketState::ECN_DISABLED
                                                             : TcpSocketState::ECN_IDLE;
}

void
CongestionStates::Note(const Ack& ack)
{
    if (ack.record.offset >= m_losses.Board().Una())
    {
        m_tcb.m_rcvTimestampValue = ack.record.timestampMs;
        m_tcb.m_rcvTimestampEchoReply = ack.record.echoMs;
    }
    if (ack.progress.ackedBytes > 0)
    {
        m_tcb.m_isRetransDataAcked =
            ack.progress.retransmissionAcked && m_tcb.m_congState == TcpSocketState::CA_RECOVERY;
    }
    m_tcb.m_lastAckedSackedBytes = ack.delivered;
    m_hasEntered = false;
    m_window.NoteInFlight();
}

void
CongestionStates::OnProbeRepairedLoss(const Ack& ack)
{
    if (m_tcb.m_congState == TcpSocketState::CA_OPEN)
    {
        EnterCwr(ack.delivered);
    }
}

void
CongestionStates::LeaveCwr()
{
    m_tcb.m_congState = TcpSocketState::CA_OPEN;
    if (!m_window.HasCongControl())
    {
        m_tcb.m_cWnd = m_tcb.m_ssThresh.Get();
        m_reduction->ExitRecovery(m_state);
        m_control->CwndEvent(m_state, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
}

void
CongestionStates::HandleEcn(const Ack& ack)
{
    const std::uint64_t offset = ack.record.offset;
    if (m_tcb.m_congState == TcpSocketState::CA_CWR && offset > m_recover)
    {
        LeaveCwr();
    }
    const bool echo = (ack.record.flags & PacketRecord::EcnEcho) != 0;
    if (m_countsMarks)
    {
        TellOfMarks(ack);
        return;
    }
    if (m_tcb.m_ecnState == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    if (ack.progress.ackedBytes > 0 && echo && m_echoedUntil < offset)
    {
        m_echoedUntil = offset;
        m_tcb.m_ecnState = TcpSocketState::ECN_ECE_RCVD;
        m_announcesReduction = m_announcesReduction || m_window.Rules().answersEachMark;
        if (m_tcb.m_congState == TcpSocketState::CA_OPEN ||
            m_tcb.m_congState == TcpSocketState::CA_DISORDER)
        {
            EnterCwr(ack.delivered);
        }
    }
    else if (m_tcb.m_ecnState == TcpSocketState::ECN_ECE_RCVD && !echo)
    {
        m_tcb.m_ecnState = TcpSocketState::ECN_IDLE;
    }
}

/// Tells a control with AccECN, which answers marks by itself, of those that an acknowledgement counts.
/// Packets count as full ones: shorter ones are more, which matters only for more than 7 of them.
void
CongestionStates::TellOfMarks(const Ack& ack)
{
    AccurateEcnFeedback feedback;
    feedback.deliveredBytes = ack.delivered;
    feedback.markedPackets = m_aceReader.OnAck(ack.record.ace, SegmentsOf(ack));
    feedback.isWindowLimit = m_window.IsLimit();
    m_window.AccurateEcn()->OnFeedback(feedback);
}

bool
CongestionStates::UndoIfSpurious(const Ack& ack)
{
    if (!m_undo.TryUndo(ack.record, ack.progress, m_recover))
    {
        return false;
    }
    m_announcesReduction = m_announcesReduction && !m_undo.IsAllowed();
    if (IsInRecovery())
    {
        m_duplicates = 0;
        SetState(m_losses.Board().SackedBytes() > 0 ? TcpSocketState::CA_DISORDER
                                                    : TcpSocketState::CA_OPEN);
    }
    m_window.NoteInFlight();
    return true;
}

bool
CongestionStates::HandleLosses(const Ack& ack, std::uint64_t lost)
{
    if (m_proportional)
    {
        m_proportional->SetSafe(ack.progress.ackedBytes > 0 && lost == 0);
    }
    if (ack.record.offset >= m_losses.Board().Una())
    {
        m_tcb.m_lastAckedSeq = SequenceNumber32(static_cast<uint32_t>(ack.record.offset + 1));
    }
    const TcpSocketState::TcpCongState_t state = m_tcb.m_congState;
    if (state == TcpSocketState::CA_OPEN && ack.progress.sackedBytes == 0 &&
        m_losses.Board().LostBytes() == 0)
    {
        return false; // nothing is missing
    }
    if (ack.progress.sackedBytes > 0 && !IsInRecovery())
    {
        OnDuplicate();
    }
    switch (m_losses.React(
        {state, ack.progress.sackedBytes, ack.delivered, m_duplicates, m_recover, m_hasEntered}))
    {
    case LossRecovery::Reaction::Enter:
        m_window.NoteInFlight();
        EnterRecovery(ack.delivered);
        m_undo.NoteMark(ack.record);
        return true;
    case LossRecovery::Reaction::Reduce:
        Reduce(ack);
        return false;
    case LossRecovery::Reaction::None:
        return false;
    }
    return false;
}

void
CongestionStates::Reduce(const Ack& ack)
{
    if (!m_window.HasCongControl())
    {
        m_reduction->DoRecovery(m_state, ack.delivered);
    }
}

void
CongestionStates::OnDuplicate()
{
    ++m_duplicates;
    if (m_tcb.m_congState == TcpSocketState::CA_OPEN)
    {
        SetState(TcpSocketState::CA_DISORDER);
    }
}

void
CongestionStates::EnterRecovery(std::uint32_t delivered)
{
    ++m_recoveries;
    m_undo.Watch();
    if (!m_window.Rules().reducesAgain && IsReducedInThisWindow())
    {
        SetState(TcpSocketState::CA_RECOVERY);
        GoOnReducing(delivered);
        return;
    }
    m_hasEntered = true;
    m_announcesReduction = m_announcesReduction || !m_window.Rules().answersEachMark;
    m_recover = m_losses.Board().HighTx();
    m_window.ReduceToUse();
    SetState(TcpSocketState::CA_RECOVERY);
    m_tcb.m_ssThresh = m_control->GetSsThresh(m_state, InFlight());
    BeginReduction(delivered);
}

/// Linux's tcp_enter_recovery and tcp_enter_loss: what was sent before a reduction is of the same
/// window of data.
bool
CongestionStates::IsReducedInThisWindow() const
{
    const TcpSocketState::TcpCongState_t state = m_tcb.m_congState;
    return (state == TcpSocketState::CA_CWR || state == TcpSocketState::CA_RECOVERY) &&
           m_losses.Board().Una() < m_recover;
}

void
CongestionStates::GoOnReducing(std::uint32_t delivered)
{
    if (!m_hasEntered && !m_window.HasCongControl())
    {
        m_reduction->DoRecovery(m_state, delivered);
    }
    m_hasEntered = true;
}

void
CongestionStates::EnterCwr(std::uint32_t delivered)
{
    ++m_recoveries;
    m_hasEntered = true;
    m_announcesReduction = true; // once, with the next new data (RFC 3168, 6.1.2)
    m_undo.End();
    m_window.ReduceToUse();
    m_tcb.m_ssThresh = m_control->GetSsThresh(m_state, InFlight());
    m_tcb.m_cWndInfl = m_tcb.m_ssThresh;
    m_tcb.m_congState = TcpSocketState::CA_CWR;
    m_recover = m_losses.Board().HighTx();
    BeginReduction(delivered);
}

void
CongestionStates::BeginReduction(std::uint32_t delivered)
{
    if (!m_window.HasCongControl())
    {
        const Scoreboard& board = m_losses.Board();
        const auto unacknowledged = static_cast<std::uint32_t>(board.HighTx() - board.Una());
        m_reduction->EnterRecovery(m_state, m_duplicates, unacknowledged, delivered);
    }
}

void
CongestionStates::OnFastRetransmission()
{
    if (!m_window.Rules().countsRetransmissionLate)
    {
        m_tcb.m_bytesInFlight = InFlight();
    }
    m_tcb.m_nextTxSequence = SequenceNumber32(static_cast<uint32_t>(m_losses.NextTx() + 1));
}

void
CongestionStates::LeaveRecovery()
{
    m_control->CwndEvent(m_state, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    SetState(TcpSocketState::CA_OPEN);
    m_losses.OnRecoveryEnds();
    m_duplicates = 0;
    if (!m_window.HasCongControl() || m_window.Rules().setsWindowOfAll)
    {
        m_tcb.m_cWnd = m_tcb.m_ssThresh.Get();
    }
    m_reduction->ExitRecovery(m_state);
}

void
CongestionStates::RunControl(const Ack& ack, std::uint64_t lost)
{
    m_tcb.m_isRetransDataAcked = false;
    if (m_window.HasCongControl())
    {
        const TcpRateOps::TcpRateSample& sample =
            m_losses.Rate().Sample(ack.delivered,
                                   m_losses.LostOfSample(lost, ack.notRepairedBefore),
                                   ack.inFlightBefore,
                                   m_tcb.m_minRtt.GetTimeStep());
        m_window.RunControl(m_losses.Rate().Connection(), sample);
    }
    m_window.Limit();
}

void
CongestionStates::OnTimeout()
{
    const std::uint32_t inFlight = InFlight();
    const bool isFirst = m_losses.IsFirstTimeout(m_tcb.m_congState);
    const bool isReduced = !m_window.Rules().reducesAgain && IsReducedInThisWindow();
    m_losses.OnTimeout();
    m_duplicates = 0;
    m_recover = m_losses.Board().HighTx();
    m_undo.WatchTimeout(isFirst);
    if (isFirst && !isReduced)
    {
        m_window.ReduceToUse();
        m_tcb.m_ssThresh = m_control->GetSsThresh(m_state, inFlight);
    }
    m_control->CwndEvent(m_state, TcpSocketState::CA_EVENT_LOSS);
    SetState(TcpSocketState::CA_LOSS);
    m_window.Collapse();
}

void
CongestionStates::OnSendingBegins()
{
    m_control->CwndEvent(m_state, TcpSocketState::CA_EVENT_TX_START);
}

std::uint8_t
CongestionStates::TakeFlags(bool again)
{
    if (m_countsMarks)
    {
        return PacketRecord::EctCapable | PacketRecord::Ect1; // retransmissions too (RFC 9331)
    }
    const bool dctcp = m_tcb.m_ecnMode == TcpSocketState::DctcpEcn;
    if (again && !dctcp)
    {
        return 0;
    }
    if (!m_announcesReduction || again)
    {
        return PacketRecord::EctCapable;
    }
    m_announcesReduction = false;
    m_tcb.m_ecnState = TcpSocketState::ECN_CWR_SENT;
    return PacketRecord::EctCapable | PacketRecord::WindowReduced;
}

} // namespace ns3
