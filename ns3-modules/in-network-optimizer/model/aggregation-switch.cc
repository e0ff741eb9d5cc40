// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/aggregation-switch.h"

#include <ns3/abort.h>

#include <algorithm>

namespace ns3
{

namespace
{

// The children's heartbeats come once an interval too, and one may come just after the tick that it
// was for. So the switch goes on for a tick without news.
constexpr std::uint32_t mostQuietTicks = 1;

} // namespace

AggregationSwitch::AggregationSwitch(const geotrain::AggregationSettings& settings,
                                     std::uint32_t children,
                                     std::uint32_t servers)
    : m_settings(settings),
      m_event(Create<Event>(this))
{
    for (std::uint32_t server = 0; server < servers; ++server)
    {
        m_streams.push_back({geotrain::AggregationSlots(settings.slots, children),
                             geotrain::LeastHeartbeat(children)});
    }
}

AggregationSwitch::~AggregationSwitch()
{
    m_event->Detach();
}

void
AggregationSwitch::AddChild(PacketElement& down)
{
    m_down.push_back(&down);
}

void
AggregationSwitch::ConnectUp(FlowNumber server, PacketElement& up, std::uint32_t child)
{
    m_streams[server].up = &up;
    m_streams[server].address = {server, child};
}

PacketElement&
AggregationSwitch::Below()
{
    return m_below;
}

PacketElement&
AggregationSwitch::Above()
{
    return m_above;
}

void
AggregationSwitch::ReceiveFromBelow(const PacketRecord& record)
{
    NS_ABORT_MSG_IF(record.protocol != PacketRecord::s_aggregation ||
                        record.aggregation.child >= m_down.size(),
                    "a packet of no child of this switch");
    ++m_counters.packets;
    if (record.kind == PacketRecord::Kind::Data)
    {
        Add(record);
        return;
    }
    TakeHeartbeat(record);
}

void
AggregationSwitch::ReceiveFromAbove(const PacketRecord& record)
{
    ++m_counters.packets;
    PacketRecord copy = record;
    for (std::uint32_t child = 0; child < m_down.size(); ++child)
    {
        copy.destination = child;
        m_down[child]->Receive(copy);
    }
}

void
AggregationSwitch::Add(const PacketRecord& record)
{
    Stream& stream = m_streams[record.flow];
    switch (stream.slots.Add(record.aggregation.child,
                             static_cast<std::int64_t>(record.offset),
                             record.aggregation.lanes))
    {
    case geotrain::AggregationSlots::Verdict::Waiting:
        m_counters.mostSlots = std::max(m_counters.mostSlots, stream.slots.Waiting());
        break;
    case geotrain::AggregationSlots::Verdict::Complete:
        ++m_counters.sums;
        SendResult(stream, record, false);
        break;
    case geotrain::AggregationSlots::Verdict::Answered:
        ++m_counters.answered;
        SendResult(stream, record, true);
        break;
    case geotrain::AggregationSlots::Verdict::Duplicate:
        ++m_counters.duplicates;
        break;
    case geotrain::AggregationSlots::Verdict::Stale:
        ++m_counters.stale;
        break;
    case geotrain::AggregationSlots::Verdict::Overrun:
        NS_ABORT_MSG("child " << record.aggregation.child << " sent packet " << record.offset
                              << " while a packet of its slot waits for others");
    }
}

void
AggregationSwitch::SendResult(Stream& stream, const PacketRecord& record, bool isAnswer)
{
    PacketRecord result = record;
    result.aggregation.lanes = stream.slots.Result(static_cast<std::int64_t>(record.offset));
    if (stream.up)
    {
        result.aggregation.child = stream.address.child;
        stream.up->Receive(result);
        return;
    }
    const std::uint32_t first = isAnswer ? record.aggregation.child : 0;
    const auto end = isAnswer ? first + 1 : static_cast<std::uint32_t>(m_down.size());
    for (std::uint32_t child = first; child < end; ++child)
    {
        result.destination = child;
        m_down[child]->Receive(result);
    }
}

void
AggregationSwitch::TakeHeartbeat(const PacketRecord& record)
{
    Stream& stream = m_streams[record.flow];
    if (m_settings.acknowledgement == geotrain::AggregationSettings::Acknowledgement::EachPacket)
    {
        ++m_counters.heartbeatsUp;
        stream.up->Receive(record);
        return;
    }
    stream.heartbeats.Set(record.aggregation.child, HeartbeatOf(record));
    stream.quietTicks = 0;
    if (!m_isTicking)
    {
        m_isTicking = true;
        m_event->ScheduleIn(m_settings.heartbeatInterval.ToNanoseconds());
    }
}

void
AggregationSwitch::Tick()
{
    m_isTicking = false;
    for (Stream& stream : m_streams)
    {
        const std::optional<geotrain::Heartbeat> least = stream.heartbeats.Least();
        if (stream.quietTicks > mostQuietTicks || !least)
        {
            continue;
        }
        ++stream.quietTicks;
        m_isTicking = true;
        ++m_counters.heartbeatsUp;
        stream.up->Receive(MakeHeartbeatPacket(m_settings, stream.address, *least));
    }
    if (m_isTicking)
    {
        m_event->ScheduleIn(m_settings.heartbeatInterval.ToNanoseconds());
    }
}

const AggregationSwitch::Counters&
AggregationSwitch::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
