// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/learned-direction.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

namespace
{

std::variant<PathCell, PlainPath>
PathOf(const LinkSettings& settings)
{
    const geotrain::PathParameters& path = *settings.learned;
    const geotrain::RandomStream draws(settings.seed, "learned-path", settings.name);
    if (path.network && path.network->output == geotrain::WindowNetwork::Output::DelayAndLoss)
    {
        return PlainPath(
            path, draws, geotrain::RandomStream(settings.seed, "learned-path-loss", settings.name));
    }
    return PathCell(path, draws);
}

} // namespace

LearnedDirection::LearnedDirection(const LinkSettings& settings)
    : m_path(PathOf(settings)),
      m_rate(settings.learned->rate),
      m_propagation(settings.learned->propagation)
{
}

LinkOutcome
LearnedDirection::Offer(Instant now, Bytes size)
{
    m_unsent.Forget(now);
    LinkOutcome outcome;
    const std::optional<Duration> stay =
        std::visit([&](auto& path) { return path.Offer(now, size); }, m_path);
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
    outcome.arrival = outcome.departure + m_propagation;
    m_unsent.Add(outcome.departure, size);
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
