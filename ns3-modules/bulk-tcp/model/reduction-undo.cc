// SPDX-License-Identifier: GPL-2.0-only
// Follows Linux's tcp_init_undo, tcp_try_undo_partial, tcp_try_undo_recovery, tcp_try_undo_dsack
// and tcp_try_undo_loss.
#include "bulk-tcp/model/reduction-undo.h"

#include <algorithm>

namespace ns3
{

ReductionUndo::ReductionUndo(LossRecovery& losses, const CongestionWindow& window)
    : m_losses(losses),
      m_state(window.State()),
      m_listener(dynamic_cast<SpuriousLossListener*>(PeekPointer(window.Control()))),
      m_neverUndoes(window.Rules().neverUndoes)
{
}

void
ReductionUndo::Watch()
{
    if (m_neverUndoes)
    {
        return;
    }
    const Scoreboard& board = m_losses.Board();
    m_losses.Spurious().Begin(board.Una(), board.RepeatsOut());
    // In CWR the window is lower already, for another reason.
    m_isAllowed = m_state->m_congState != TcpSocketState::CA_CWR;
    m_window = m_state->m_cWnd;
    m_threshold = std::max(m_state->m_ssThresh.Get(), m_window / 4 * 3); // tcp_current_ssthresh
    if (m_listener)
    {
        m_listener->OnRecoveryBegins(m_state);
    }
}

void
ReductionUndo::WatchTimeout(bool isFirst)
{
    if (m_neverUndoes)
    {
        return;
    }
    m_holdsRepairs = false;
    const TcpSocketState::TcpCongState_t state = m_state->m_congState;
    if (isFirst && state != TcpSocketState::CA_RECOVERY)
    {
        Watch(); // a recovery in progress stays the one to be undone
    }
    if (state < TcpSocketState::CA_RECOVERY || !isFirst)
    {
        m_losses.Spurious().BeginForward(m_losses.Board().HighTx()); // RFC 5682, 3.1, step 1
    }
}

void
ReductionUndo::End()
{
    m_losses.Spurious().End();
    m_holdsRepairs = false;
}

void
ReductionUndo::NoteMark(const PacketRecord& ack)
{
    const bool isMarked = (ack.flags & PacketRecord::EcnEcho) != 0;
    if (isMarked && m_state->m_ecnState != TcpSocketState::ECN_DISABLED)
    {
        m_isAllowed = false;
    }
}

bool
ReductionUndo::TryUndo(const PacketRecord& ack,
                       const Scoreboard::Progress& progress,
                       std::uint64_t recover)
{
    m_holdsRepairs = false;
    NoteMark(ack);
    if (!IsSpurious(ack, progress, recover))
    {
        return false;
    }
    m_losses.Undo();
    if (m_isAllowed)
    {
        Restore();
    }
    return true;
}

bool
ReductionUndo::IsSpurious(const PacketRecord& ack,
                          const Scoreboard::Progress& progress,
                          std::uint64_t recover)
{
    switch (m_state->m_congState.Get())
    {
    case TcpSocketState::CA_RECOVERY:
        return m_isAllowed && IsRecoverySpurious(ack, progress, recover);
    case TcpSocketState::CA_LOSS:
        return IsTimeoutSpurious(ack, progress);
    default:
        return m_losses.Spurious().AreAllNeedless();
    }
}

bool
ReductionUndo::IsRecoverySpurious(const PacketRecord& ack,
                                  const Scoreboard::Progress& progress,
                                  std::uint64_t recover)
{
    SpuriousLossDetector& spurious = m_losses.Spurious();
    if (progress.ackedBytes == 0 || !spurious.IsOfOriginal(ack.echoMs))
    {
        return spurious.AreAllNeedless();
    }
    // An original has come late. While retransmissions are on the way, other segments may still
    // turn out to be lost.
    m_losses.OnReordered();
    m_holdsRepairs = m_losses.Board().RepeatsOut() > 0 && m_losses.Board().Una() < recover;
    return !m_holdsRepairs;
}

bool
ReductionUndo::IsTimeoutSpurious(const PacketRecord& ack, const Scoreboard::Progress& progress)
{
    SpuriousLossDetector& spurious = m_losses.Spurious();
    const bool isEvident =
        progress.ackedBytes > 0 && (spurious.AreAllNeedless() || spurious.IsOfOriginal(ack.echoMs));
    const Scoreboard& board = m_losses.Board();
    return isEvident || spurious.IsForwardSpurious(progress, board.Una(), board.HighTx());
}

void
ReductionUndo::Restore()
{
    ++m_count;
    m_state->m_cWnd = std::max(m_state->m_cWnd.Get(), m_window);
    m_state->m_cWndInfl = m_state->m_cWnd.Get();
    m_state->m_ssThresh = std::max(m_state->m_ssThresh.Get(), m_threshold);
    if (m_listener)
    {
        m_listener->OnSpuriousRecovery(m_state);
    }
}

} // namespace ns3
