// SPDX-License-Identifier: GPL-2.0-only
// Defines what an acknowledgement does to the states by what it advances: ns-3's
// TcpSocketBase::ProcessAck.
#include "bulk-tcp/model/congestion-states.h"

#include <algorithm>

namespace ns3
{

std::uint32_t
CongestionStates::CountSegments(std::uint32_t bytes)
{
    const std::uint32_t length = m_tcb.m_segmentSize;
    std::uint32_t segments = bytes / length;
    m_bytesNotCounted += bytes % length;
    if (m_bytesNotCounted >= length)
    {
        ++segments;
        m_bytesNotCounted -= length;
    }
    return segments;
}

bool
CongestionStates::OnAdvance(const Ack& ack)
{
    const std::uint32_t segments =
        CountSegments(static_cast<std::uint32_t>(ack.progress.ackedBytes));
    m_duplicates = ack.progress.sackedBytes > 0 ? m_duplicates : 0;
    const bool isComplete = m_losses.Board().Una() >= m_recover;
    switch (m_tcb.m_congState.Get())
    {
    case TcpSocketState::CA_RECOVERY:
        return AdvanceInRecovery(ack, segments, isComplete);
    case TcpSocketState::CA_LOSS:
        return AdvanceInLoss(ack, segments, isComplete);
    case TcpSocketState::CA_DISORDER:
        AdvanceInDisorder(ack, segments);
        return false;
    case TcpSocketState::CA_CWR:
        AdvanceInCwr(ack, segments);
        return false;
    default:
        PassAcked(segments);
        m_window.Grow(segments, ack.progress.rttNs);
        return false;
    }
}

void
CongestionStates::PassAcked(std::uint32_t segments)
{
    m_control->PktsAcked(m_state, segments, m_tcb.m_lastRtt);
}

bool
CongestionStates::AdvanceInRecovery(const Ack& ack, std::uint32_t segments, bool isComplete)
{
    if (!isComplete)
    {
        const bool isPartial = m_window.Rules().reducesByAdvance;
        if (isPartial && segments >= 1)
        {
            Reduce(ack);
        }
        PassAcked(1);
        return isPartial && !m_losses.Board().HeadRetransmitted();
    }
    const auto whole = static_cast<std::uint32_t>(ack.progress.ackedBytes) / m_tcb.m_segmentSize;
    PassAcked(whole);
    LeaveRecovery();
    return GrowOrRecoverAgain(ack, whole);
}

bool
CongestionStates::AdvanceInLoss(const Ack& ack, std::uint32_t segments, bool isComplete)
{
    if (!isComplete)
    {
        PassAcked(segments);
        m_window.Grow(segments, ack.progress.rttNs);
        return false;
    }
    const std::uint64_t beyond = m_losses.Board().Una() - m_recover;
    const auto whole = static_cast<std::uint32_t>(beyond) / m_tcb.m_segmentSize;
    PassAcked(whole);
    SetState(TcpSocketState::CA_OPEN);
    m_losses.OnRecoveryEnds();
    return GrowOrRecoverAgain(ack, whole);
}

/// RFC 6675, 5: what was sent in a recovery, or after a timeout, is of a window of its own. Its losses
/// reduce again, also where they were sent again meanwhile (Linux's tcp_time_to_recover asks
/// lost_out). A control that sets the window by itself has heard of them.
bool
CongestionStates::GrowOrRecoverAgain(const Ack& ack, std::uint32_t segments)
{
    const bool isNextWindowLossy = !m_window.Rules().reducesAgain && !m_window.HasCongControl() &&
                                   m_losses.Board().NotRepaired() > 0;
    if (isNextWindowLossy)
    {
        EnterRecovery(ack.delivered);
        return m_losses.Board().LostBytes() > 0;
    }
    m_window.Grow(segments, ack.progress.rttNs);
    return false;
}

void
CongestionStates::AdvanceInDisorder(const Ack& ack, std::uint32_t segments)
{
    if (segments >= ack.duplicatesBefore)
    {
        PassAcked(segments - ack.duplicatesBefore);
    }
    const bool isOver = ack.progress.sackedBytes == 0;
    if (isOver)
    {
        SetState(TcpSocketState::CA_OPEN);
    }
    if (isOver || m_losses.GrowsInDisorder(true))
    {
        GrowInDisorder(ack, segments);
    }
}

void
CongestionStates::GrowInDisorder(const Ack& ack, std::uint32_t segments)
{
    m_window.Grow(m_losses.GrowsInDisorder(false) ? SegmentsOf(ack) : segments, ack.progress.rttNs);
}

/// Returns the segments that an acknowledgement newly delivers, shorter ones too.
std::uint32_t
CongestionStates::SegmentsOf(const Ack& ack) const
{
    return (ack.delivered + m_tcb.m_segmentSize - 1) / m_tcb.m_segmentSize;
}

void
CongestionStates::AdvanceInCwr(const Ack& ack, std::uint32_t segments)
{
    PassAcked(segments);
    if (m_window.Rules().reducesByAdvance && segments >= 1)
    {
        Reduce(ack);
    }
}

void
CongestionStates::OnNoAdvance(const Ack& ack)
{
    if (ack.record.offset != m_losses.Board().HighTx())
    {
        PassAcked(m_window.Rules().countsDuplicates ? 1 : std::max(SegmentsOf(ack), 1U));
    }
    if (m_tcb.m_congState == TcpSocketState::CA_DISORDER && ack.delivered > 0 &&
        m_losses.GrowsInDisorder(false))
    {
        GrowInDisorder(ack, 0);
    }
}

} // namespace ns3
