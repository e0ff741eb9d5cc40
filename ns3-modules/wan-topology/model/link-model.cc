#include "wan-topology/model/link-model.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;

LinkModel::LinkModel(const Settings& settings)
    : m_settings(settings),
      m_clock(settings.rate),
      m_loss(settings.seed, "wan-link-loss", settings.name),
      m_impaired(settings.IsImpaired() ? std::make_unique<ImpairedLink>(settings) : nullptr)
{
}

LinkModel::Outcome
LinkModel::Offer(Instant now, Bytes size, bool ecnCapable)
{
    if (m_impaired)
    {
        return m_impaired->Offer(now, size, ecnCapable);
    }
    Outcome outcome;
    if (!HasRoom(now, size))
    {
        ++m_counters.queueDrops;
        m_counters.queueDropBytes += size.Count();
        outcome.verdict = Verdict::QueueFull;
        return outcome;
    }
    ++m_counters.acceptedPackets;
    m_counters.acceptedBytes += size.Count();
    m_counters.queueingNs += std::max<std::int64_t>(0, (m_clock.FreeAt() - now).ToNanoseconds());
    outcome.departure = m_clock.Send(now, size);
    if (CountsPackets())
    {
        m_departures.PushBack(outcome.departure);
    }
    if (m_settings.lossRate > 0 && m_loss.Uniform() < m_settings.lossRate)
    {
        ++m_counters.lostPackets;
        m_counters.lostBytes += size.Count();
        outcome.verdict = Verdict::Lost;
        return outcome;
    }
    outcome.arrival = outcome.departure + m_settings.delay;
    return outcome;
}

void
LinkModel::BeginSchedule(Instant at)
{
    if (m_impaired)
    {
        m_impaired->BeginSchedule(at);
    }
}

bool
LinkModel::MayReorder() const
{
    return m_settings.jitter && m_settings.jitter->reorders;
}

bool
LinkModel::MayMark() const
{
    return (m_settings.red && m_settings.red->ecn) || (m_settings.coDel && m_settings.coDel->ecn);
}

bool
LinkModel::IsImpaired() const
{
    return m_impaired != nullptr;
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
    return m_impaired ? m_impaired->Backlog(now) : m_clock.Backlog(now);
}

Bytes
LinkModel::SentBytes(Instant now) const
{
    return Bytes::Of(GetCounters().acceptedBytes) - Backlog(now);
}

const LinkModel::Counters&
LinkModel::GetCounters() const
{
    return m_impaired ? m_impaired->GetCounters() : m_counters;
}

const LinkModel::Settings&
LinkModel::GetSettings() const
{
    return m_settings;
}

} // namespace ns3
