// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/learned-direction.h"

#include <algorithm>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Duration;
using geotrain::Instant;

LearnedDirection::LearnedDirection(const LinkSettings& settings)
    : m_passage(*settings.learned, settings.seed, settings.name)
{
    for (const geotrain::PathLane& lane : settings.learned->Lanes())
    {
        m_lanes.push_back({lane.rate, lane.propagation, {}});
    }
}

LinkOutcome
LearnedDirection::Offer(Instant now, Bytes size)
{
    LinkOutcome outcome;
    const geotrain::LanePassage passage = m_passage.Offer(now, size);
    Lane& lane = m_lanes[passage.lane];
    lane.unsent.Forget(now);
    if (!passage.stay)
    {
        ++m_counters.queueDrops;
        m_counters.queueDropBytes += size.Count();
        outcome.verdict = LinkOutcome::Verdict::QueueFull;
        return outcome;
    }
    const Duration onWire = lane.rate.TransmissionTime(size);
    ++m_counters.acceptedPackets;
    m_counters.acceptedBytes += size.Count();
    m_counters.queueingNs += std::max<std::int64_t>(0, (*passage.stay - onWire).ToNanoseconds());
    outcome.departure = now + *passage.stay;
    lane.unsent.Add(outcome.departure, size);
    if (m_passage.DrawLoss())
    {
        ++m_counters.lostPackets;
        m_counters.lostBytes += size.Count();
        outcome.verdict = LinkOutcome::Verdict::Lost;
        return outcome;
    }
    outcome.arrival = outcome.departure + lane.propagation;
    return outcome;
}

Bytes
LearnedDirection::Backlog(Instant now) const
{
    Bytes backlog;
    for (Lane& lane : m_lanes)
    {
        lane.unsent.Forget(now);
        backlog += lane.unsent.Size();
    }
    return backlog;
}

bool
LearnedDirection::MayReorder() const
{
    return m_passage.MayReorder();
}

const LinkCounters&
LearnedDirection::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
