#include "wan-topology/model/link-model.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;

LinkModel::LinkModel(const Settings& settings)
    : m_settings(settings),
      m_clock(settings.rate),
      m_loss(settings.seed, "wan-link-loss", settings.name)
{
}

LinkModel::Outcome
LinkModel::Offer(Instant now, Bytes size)
{
    if (!HasRoom(now, size))
    {
        ++m_counters.queueDrops;
        m_counters.queueDropBytes += size.Count();
        return {Verdict::QueueFull, {}, {}};
    }
    ++m_counters.acceptedPackets;
    m_counters.acceptedBytes += size.Count();
    m_counters.queueingNs += std::max<std::int64_t>(0, (m_clock.FreeAt() - now).ToNanoseconds());
    const Instant departure = m_clock.Send(now, size);
    if (CountsPackets())
    {
        m_departures.PushBack(departure);
    }
    if (m_settings.lossRate > 0 && m_loss.Uniform() < m_settings.lossRate)
    {
        ++m_counters.lostPackets;
        m_counters.lostBytes += size.Count();
        return {Verdict::Lost, departure, {}};
    }
    return {Verdict::Accepted, departure, departure + m_settings.delay};
}

bool
LinkModel::CountsPackets() const
{
    return m_settings.queue.packets != QueueLimit().packets;
}

bool
LinkModel::HasRoom(Instant now, Bytes size)
{
    while (!m_departures.Empty() && m_departures.Front() <= now)
    {
        m_departures.PopFront();
    }
    if (m_clock.FreeAt() <= now)
    {
        return true;
    }
    const auto waiting = static_cast<std::int64_t>(m_departures.Size()) - 1;
    return waiting < m_settings.queue.packets &&
           m_clock.Backlog(now) + size <= m_settings.queue.bytes;
}

Bytes
LinkModel::Backlog(Instant now) const
{
    return m_clock.Backlog(now);
}

Bytes
LinkModel::SentBytes(Instant now) const
{
    return Bytes::Of(m_counters.acceptedBytes) - m_clock.Backlog(now);
}

const LinkModel::Counters&
LinkModel::GetCounters() const
{
    return m_counters;
}

const LinkModel::Settings&
LinkModel::GetSettings() const
{
    return m_settings;
}

} // namespace ns3
