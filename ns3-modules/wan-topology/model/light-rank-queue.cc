// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-rank-queue.h"

namespace ns3
{

LightRankQueue::LightRankQueue(const QueueLimit& limit,
                               const FlowTable& flows,
                               const LightLink& link,
                               PacketElement& next,
                               PacketLedger* ledger)
    : m_waiting(limit),
      m_flows(flows),
      m_link(link),
      m_next(next),
      m_ledger(ledger),
      m_timer([this] { Release(); })
{
}

void
LightRankQueue::Receive(const PacketRecord& record)
{
    const std::int64_t now = NowNs();
    if (m_waiting.Empty() && TurnNs() <= now)
    {
        m_next.Receive(record); // an idle link takes any packet
        return;
    }
    const auto size = geotrain::Bytes::Of(record.wireSize);
    if (!m_waiting.Push(m_flows[record.flow].rank, {record, now}, size))
    {
        ++m_drops;
        if (m_ledger)
        {
            m_ledger->Dropped(record);
        }
        return;
    }
    Release();
}

/// Returns when the link takes the next packet. That is a nanosecond before it is free, since FreeAt() is
/// rounded up, and the rounding of single packets would add up.
std::int64_t
LightRankQueue::TurnNs() const
{
    return m_link.Model().FreeAt().ToNanoseconds() - 1;
}

void
LightRankQueue::Release()
{
    const std::int64_t now = NowNs();
    while (!m_waiting.Empty() && TurnNs() <= now)
    {
        const Waiting first = m_waiting.Pop().item;
        m_queueingNs += now - first.sinceNs;
        m_next.Receive(first.record);
    }
    if (!m_waiting.Empty())
    {
        m_timer.Set(TurnNs());
    }
}

geotrain::Bytes
LightRankQueue::QueuedBytes() const
{
    return m_waiting.QueuedBytes();
}

std::uint64_t
LightRankQueue::Drops() const
{
    return m_drops;
}

std::int64_t
LightRankQueue::QueueingNs() const
{
    return m_queueingNs;
}

} // namespace ns3
