// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/pipeline-ways.h"

#include <algorithm>
#include <tuple>

namespace geotrain
{

bool
PipelineMessage::operator>(const PipelineMessage& other) const
{
    return std::tie(at, pipeline, stage, microbatch) >
           std::tie(other.at, other.pipeline, other.stage, other.microbatch);
}

PipelineWays::PipelineWays(const ScheduleOrder& order,
                           const ScheduleTimes& times,
                           std::uint32_t pipelines)
    : m_perPipeline(static_cast<std::uint32_t>(order.stages.size())),
      m_homes(HomesOf(order)),
      m_down(std::size_t{m_perPipeline} * pipelines),
      m_up(std::size_t{m_perPipeline} * pipelines),
      m_sends(std::size_t{m_perPipeline} * pipelines, 0),
      m_receives(std::size_t{m_perPipeline} * pipelines, 0)
{
    for (std::uint32_t stage = 0; stage + 1 < m_homes.size(); ++stage)
    {
        const bool isCrossed = m_homes[stage].worker != m_homes[stage + 1].worker;
        const Hop& hop = m_hops.emplace_back(isCrossed ? times.HopAfter(stage) : Hop());
        m_areShared = m_areShared || hop.nodeOccupancy > Duration();
        AddLinks(hop.linksDown);
        AddLinks(hop.linksUp);
    }
}

void
PipelineWays::AddLinks(const std::vector<SharedLink>& links)
{
    for (const SharedLink& shared : links)
    {
        m_links.resize(std::max(m_links.size(), shared.link + 1), 0);
        m_areShared = true;
    }
}

bool
PipelineWays::AreShared() const
{
    return m_areShared;
}

std::uint32_t
PipelineWays::ReceiverOf(const PipelineMessage& message) const
{
    const bool goesDown = message.kind == Operation::Kind::Forward;
    return message.pipeline * m_perPipeline +
           m_homes[goesDown ? message.stage + 1 : message.stage - 1].worker;
}

std::int64_t
PipelineWays::Carry(const PipelineMessage& message)
{
    const bool goesDown = message.kind == Operation::Kind::Forward;
    const Hop& hop = m_hops[goesDown ? message.stage : message.stage - 1];
    const std::size_t first = std::size_t{hop.takesTurns ? 0 : message.pipeline} * m_perPipeline;
    const std::uint32_t from = m_homes[message.stage].worker;
    const std::uint32_t to = m_homes[goesDown ? message.stage + 1 : message.stage - 1].worker;
    // Wraps where a pipeline's last worker sends to its first one.
    const bool toNext = to == from + 1 || (to < from && to + 1 != from);
    MessageWay& way = (toNext ? m_down : m_up)[first + (toNext ? from : to)];
    std::int64_t& sends = m_sends[first + from];
    std::int64_t& receives = m_receives[first + to];
    const std::int64_t delay = hop.delay.ToNanoseconds();
    std::int64_t start = message.at;
    if (hop.nodeOccupancy > Duration())
    {
        start = std::max({start, way.free, sends, receives - delay});
        // While a message waits for its way, its nodes serve the other ways.
        const std::int64_t time = hop.nodeOccupancy.ToNanoseconds();
        sends = std::max(sends, message.at) + time;
        receives = std::max(receives, message.at + delay) + time;
    }
    for (const auto& [link, occupancy] : goesDown ? hop.linksDown : hop.linksUp)
    {
        start = std::max(start, m_links[link]);
        m_links[link] = std::max(m_links[link], message.at) + occupancy.ToNanoseconds();
    }
    return way.Carry(start, hop);
}

} // namespace geotrain
