// SPDX-License-Identifier: GPL-2.0-only
// Keeps the scoreboard, which all recoveries do.
#include "bulk-tcp/model/loss-recovery.h"

#include <algorithm>

namespace ns3
{

LossRecovery::Progress
LossRecovery::OnAck(std::int64_t nowNs, const PacketRecord& ack)
{
    const Progress progress = m_board.OnAck(nowNs, ack);
    AfterAck(ack);
    m_nextTx = std::max(m_nextTx, m_board.Una());
    return progress;
}

std::uint64_t
LossRecovery::DetectLosses(std::int64_t nowNs, bool inRecovery, std::int64_t minRttNs)
{
    const std::uint64_t lostBefore = m_board.LostBytes();
    m_nextDetectionNs = -1;
    Detect(nowNs, inRecovery, minRttNs);
    return m_board.LostBytes() - lostBefore;
}

void
LossRecovery::OnTimeout()
{
    m_board.MarkAllLost();
    m_nextDetectionNs = -1;
    AfterTimeout();
}

bool
LossRecovery::OnRetransmitted(Segment& segment, std::int64_t nowNs)
{
    m_board.OnRetransmitted(segment, nowNs, m_rate.OnSent(nowNs, m_inFlight == 0));
    return AfterRetransmission(segment, nowNs);
}

} // namespace ns3
