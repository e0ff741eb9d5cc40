// SPDX-License-Identifier: GPL-2.0-only
// Keeps the scoreboard and the record of retransmissions, which all recoveries do.
#include "bulk-tcp/model/loss-recovery.h"

#include "bulk-tcp/model/timestamp.h"

#include <algorithm>

namespace ns3
{

LossRecovery::Progress
LossRecovery::OnAck(std::int64_t nowNs, const PacketRecord& ack)
{
    m_ack = &ack;
    const Progress progress = m_board.OnAck(nowNs, ack);
    if ((ack.flags & PacketRecord::Duplicate) != 0)
    {
        OnDuplicate(ack);
    }
    AfterAck();
    m_nextTx = std::max(m_nextTx, m_board.Una());
    return progress;
}

void
LossRecovery::OnDuplicate(const PacketRecord& ack)
{
    const std::uint64_t begin =
        ack.offset + static_cast<std::uint64_t>(static_cast<std::int32_t>(ack.sack[0].begin));
    const std::uint64_t length = ack.sack[0].end - ack.sack[0].begin;
    if (m_history.TakeOrigin({begin, begin + length}) ==
        RetransmissionHistory::Origin::Retransmission)
    {
        m_spurious.OnDuplicate(begin + length, length);
        OnNeedlessRetransmission();
    }
}

std::uint64_t
LossRecovery::DetectLosses(std::int64_t nowNs, bool inRecovery, const RoundTrips& roundTrips)
{
    const std::uint64_t lostBefore = m_board.LostBytes();
    m_nextDetectionNs = -1;
    Detect(nowNs, inRecovery, roundTrips);
    return m_board.LostBytes() - lostBefore;
}

void
LossRecovery::OnTimeout()
{
    m_board.MarkAllLost();
    m_nextDetectionNs = -1;
    AfterTimeout();
}

void
LossRecovery::Undo()
{
    m_spurious.End();
    m_board.UnmarkLost();
    AfterUndo();
}

bool
LossRecovery::OnRetransmitted(Segment& segment, std::int64_t nowNs, bool isProbe)
{
    const ByteRanges::Range bytes{segment.offset, segment.offset + segment.length};
    if (isProbe)
    {
        m_history.OnProbe(bytes);
    }
    else
    {
        m_history.OnRetransmitted(bytes, m_board.Una(), m_board.HighTx());
        m_spurious.OnRetransmitted(TimestampMs(nowNs), segment.length);
    }
    m_board.OnRetransmitted(segment, nowNs, m_rate.OnSent(nowNs, m_inFlight == 0), isProbe);
    return AfterRetransmission(segment, nowNs);
}

} // namespace ns3
