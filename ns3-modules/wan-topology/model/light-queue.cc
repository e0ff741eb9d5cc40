// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;

LightQueue::LightQueue(std::unique_ptr<QueueDiscipline> discipline,
                       const std::optional<geotrain::PolicerSettings>& policer,
                       const LightLink& link,
                       PacketElement& next)
    : m_discipline(std::move(discipline)),
      m_link(link),
      m_next(next),
      m_timer([this] { Release(); })
{
    if (policer)
    {
        m_policer.emplace(policer->rate, policer->burst);
    }
}

void
LightQueue::Receive(const PacketRecord& record)
{
    const auto now = Instant::FromNanoseconds(NowNs());
    if (m_policer)
    {
        const auto size = Bytes::Of(record.wireSize);
        if (!m_policer->Conforms(now, size))
        {
            m_discipline->DropBefore(record);
            return;
        }
        m_policer->Take(size);
    }
    m_discipline->Enqueue(now, record);
    Release();
}

/// Returns when the link takes the next packet. That is a nanosecond before it is free, since FreeAt() is
/// rounded up, and the rounding of single packets would add up.
Instant
LightQueue::Turn() const
{
    return m_link.Model().FreeAt() - geotrain::Duration::Nanoseconds(1);
}

void
LightQueue::Release()
{
    const auto now = Instant::FromNanoseconds(NowNs());
    while (Turn() <= now)
    {
        const std::optional<PacketRecord> first = m_discipline->Dequeue(now);
        if (!first)
        {
            break;
        }
        m_next.Receive(*first);
    }
    if (const std::optional<Instant> ready = m_discipline->Ready(now))
    {
        m_timer.Set(std::max(*ready, Turn()).ToNanoseconds());
    }
}

const QueueDiscipline&
LightQueue::Discipline() const
{
    return *m_discipline;
}

} // namespace ns3
