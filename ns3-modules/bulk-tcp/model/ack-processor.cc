// SPDX-License-Identifier: GPL-2.0-only
// Each step is one call to the part that does it.
#include "bulk-tcp/model/ack-processor.h"

#include <utility>

namespace ns3
{

AckProcessor::AckProcessor(CongestionStates& states,
                           RetransmissionTimeout& timeout,
                           TailLossProbe& probe,
                           Retransmitter& retransmitter)
    : m_states(states),
      m_losses(states.Losses()),
      m_window(states.Window()),
      m_timeout(timeout),
      m_probe(probe),
      m_retransmitter(retransmitter)
{
}

void
AckProcessor::OnAck(std::int64_t nowNs, const PacketRecord& record)
{
    m_nowNs = nowNs;
    const CongestionStates::Ack ack = Take(record);
    if (m_window.MeasureRtt(m_nowNs, ack.progress, record.echoMs, m_timeout.Rtt()))
    {
        m_timeout.OnSample();
    }
    if (ack.progress.ackedBytes > 0)
    {
        m_timeout.OnProgress();
    }
    m_states.Note(ack);
    if (m_probe.OnAck(record, ack.progress.ackedBytes > 0))
    {
        m_states.OnProbeRepairedLoss(ack);
    }
    m_states.HandleEcn(ack);
    Repair(ack);
    const std::uint64_t lost = std::exchange(m_lostUntold, 0);
    if (ack.progress.ackedBytes > 0)
    {
        Advance(ack);
    }
    else
    {
        m_states.OnNoAdvance(ack);
    }
    m_states.RunControl(ack, lost);
}

CongestionStates::Ack
AckProcessor::Take(const PacketRecord& record)
{
    CongestionStates::Ack ack{
        record, {}, 0, m_losses.InFlight(), m_losses.Board().NotRepaired(), m_states.Duplicates()};
    const std::uint64_t deliveredBefore = m_losses.Rate().Delivered();
    ack.progress = m_losses.OnAck(m_nowNs, record);
    ack.delivered = static_cast<std::uint32_t>(m_losses.Rate().Delivered() - deliveredBefore);
    return ack;
}

void
AckProcessor::OnOldAck(std::int64_t nowNs, const PacketRecord& record)
{
    m_nowNs = nowNs;
    const CongestionStates::Ack ack = Take(record);
    m_states.Note(ack);
    Repair(ack);
}

void
AckProcessor::Repair(const CongestionStates::Ack& ack)
{
    const bool isUndone = m_states.TryUndo(ack);
    if (isUndone)
    {
        m_timeout.OnProgress();
        m_timeout.OnSample(); // the peer answered in time: nothing is left to back off for
    }
    std::uint64_t lost = 0;
    if ((ack.delivered > 0 || isUndone) && !m_states.Undo().HoldsRepairs())
    {
        lost = FindLosses();
        m_lostUntold += lost;
    }
    m_window.NoteInFlight();
    if (m_states.HandleLosses(ack, lost))
    {
        RetransmitFirstLost();
    }
}

std::uint64_t
AckProcessor::FindLosses()
{
    return m_losses.DetectLosses(
        m_nowNs,
        m_states.IsInRecovery(),
        {m_window.State()->m_minRtt.GetTimeStep(), m_timeout.Rtt().SmoothedNs()});
}

void
AckProcessor::RetransmitFirstLost()
{
    if (Scoreboard::Segment* lost = m_losses.NextLost())
    {
        m_retransmitter.Retransmit(*lost);
        m_states.OnFastRetransmission();
    }
}

void
AckProcessor::Advance(const CongestionStates::Ack& ack)
{
    m_advancedNs = m_nowNs;
    if (Scoreboard::Segment* again = m_states.OnAdvance(ack) ? m_losses.NextLost() : nullptr)
    {
        m_retransmitter.Retransmit(*again);
    }
    RestartTimeout();
}

void
AckProcessor::RestartTimeout()
{
    const TcpSocketState::TcpCongState_t state = m_window.State()->m_congState;
    if (!m_losses.KeepsTimeout(state, m_hasAdvancedInRecovery))
    {
        m_timeout.Restart(m_nowNs);
    }
    m_hasAdvancedInRecovery = state == TcpSocketState::CA_RECOVERY;
}

void
AckProcessor::OnReorderingTimer(std::int64_t nowNs)
{
    m_nowNs = nowNs;
    const bool isInRecovery = m_states.IsInRecovery();
    m_lostUntold += FindLosses();
    m_window.NoteInFlight();
    if (m_losses.Board().LostBytes() > 0 && !isInRecovery)
    {
        m_states.EnterRecovery(0);
        RetransmitFirstLost();
    }
}

} // namespace ns3
