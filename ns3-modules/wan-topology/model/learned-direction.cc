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

std::variant<PathCell, PlainPath, ParallelPath>
PathOf(const LinkSettings& settings)
{
    const geotrain::PathParameters& path = *settings.learned;
    const geotrain::RandomStream draws(settings.seed, "learned-path", settings.name);
    if (path.network && path.network->output == geotrain::WindowNetwork::Output::DelayAndLoss)
    {
        return PlainPath(
            path, draws, geotrain::RandomStream(settings.seed, "learned-path-loss", settings.name));
    }
    if (!path.lanes.empty())
    {
        return ParallelPath(
            path, draws, geotrain::RandomStream(settings.seed, "learned-path-lane", settings.name));
    }
    return PathCell(path, draws);
}

} // namespace

LearnedDirection::LearnedDirection(const LinkSettings& settings)
    : m_path(PathOf(settings)),
      m_lossShare(settings.learned->lossShare),
      m_losses(settings.seed, "learned-path-wire", settings.name)
{
    for (const geotrain::PathLane& lane : settings.learned->Lanes())
    {
        m_lanes.push_back({lane.rate, lane.propagation, {}});
    }
}

LanePassage
LearnedDirection::Pass(Instant now, Bytes size)
{
    if (auto* parallel = std::get_if<ParallelPath>(&m_path))
    {
        return parallel->Offer(now, size);
    }
    if (auto* plain = std::get_if<PlainPath>(&m_path))
    {
        return {0, plain->Offer(now, size)};
    }
    return {0, std::get<PathCell>(m_path).Offer(now, size)};
}

LinkOutcome
LearnedDirection::Offer(Instant now, Bytes size)
{
    LinkOutcome outcome;
    const LanePassage passage = Pass(now, size);
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
    if (m_lossShare > 0 && m_losses.Uniform() < m_lossShare)
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
    return std::holds_alternative<ParallelPath>(m_path);
}

const LinkCounters&
LearnedDirection::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
