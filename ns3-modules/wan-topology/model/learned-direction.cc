// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/learned-direction.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

LearnedDirection::LearnedDirection(const LinkSettings& settings)
    : m_passage(*settings.learned, settings.seed, settings.name),
      m_rate(settings.learned->rate),
      m_propagation(settings.learned->propagation)
{
}

LinkOutcome
LearnedDirection::Offer(Instant now, Bytes size)
{
    LinkOutcome outcome;
    const std::optional<Duration> stay = m_passage.Offer(now, size);
    m_unsent.Forget(now);
    if (!stay)
    {
        ++m_counters.queueDrops;
        m_counters.queueDropBytes += size.Count();
        outcome.verdict = LinkOutcome::Verdict::QueueFull;
        return outcome;
    }
    const Duration onWire = m_rate.TransmissionTime(size);
    ++m_counters.acceptedPackets;
    m_counters.acceptedBytes += size.Count();
    m_counters.queueingNs += std::max<std::int64_t>(0, (*stay - onWire).ToNanoseconds());
    outcome.departure = now + *stay;
    m_unsent.Add(outcome.departure, size);
    if (m_passage.DrawLoss())
    {
        ++m_counters.lostPackets;
        m_counters.lostBytes += size.Count();
        outcome.verdict = LinkOutcome::Verdict::Lost;
        return outcome;
    }
    outcome.arrival = outcome.departure + m_propagation;
    return outcome;
}

Bytes
LearnedDirection::Backlog(Instant now) const
{
    m_unsent.Forget(now);
    return m_unsent.Size();
}

const LinkCounters&
LearnedDirection::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
