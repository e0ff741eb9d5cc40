// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/window-receiver.h"

#include <ns3/abort.h>

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;

WindowReceiver::WindowReceiver(const geotrain::AggregationSettings& settings,
                               const StreamPort& port)
    : m_settings(settings),
      m_port(port),
      m_arrived(static_cast<std::size_t>(settings.WindowPackets())),
      m_isSilent(settings.acknowledgement ==
                 geotrain::AggregationSettings::Acknowledgement::Result),
      m_event(Create<Event>(this))
{
}

WindowReceiver::~WindowReceiver()
{
    m_event->Detach();
}

void
WindowReceiver::Expect(Bytes length, std::function<void()> done)
{
    NS_ABORT_MSG_IF(length.Count() <= 0, "a request has at least a byte");
    m_end += m_settings.PacketsIn(length);
    m_requests.push_back({m_end, std::move(done)});
    m_isNewsPending = true;
    if (!m_isTicking && !m_isSilent)
    {
        SendHeartbeat();
        AwaitTick();
    }
}

void
WindowReceiver::OnData(const PacketRecord& record)
{
    const auto sequence = static_cast<std::int64_t>(record.offset);
    m_isNewsPending = true;
    if (IsNew(sequence))
    {
        ++m_counters.packets;
        m_counters.payloadBytes += record.length;
        m_arrived[static_cast<std::size_t>(sequence) % m_arrived.size()] = 1;
        if (m_sink)
        {
            m_sink->Take(sequence, Bytes::Of(record.length), record.aggregation.lanes);
        }
        Advance();
    }
    else
    {
        ++m_counters.duplicates;
    }
    if (m_settings.acknowledgement == geotrain::AggregationSettings::Acknowledgement::EachPacket)
    {
        SendHeartbeat();
    }
    AwaitTick();
}

bool
WindowReceiver::IsNew(std::int64_t sequence) const
{
    NS_ABORT_MSG_IF(sequence >= Current().creditEnd, "packet " << sequence << " is beyond credit");
    return sequence >= m_next &&
           m_arrived[static_cast<std::size_t>(sequence) % m_arrived.size()] == 0;
}

void
WindowReceiver::Advance()
{
    const std::size_t size = m_arrived.size();
    for (std::size_t place = static_cast<std::size_t>(m_next) % size; m_arrived[place] != 0;
         place = place + 1 < size ? place + 1 : 0)
    {
        m_arrived[place] = 0;
        ++m_next;
    }
    while (!m_requests.empty() && m_requests.front().end <= m_next)
    {
        const std::function<void()> done = std::move(m_requests.front().done);
        m_requests.pop_front();
        if (done)
        {
            done();
        }
    }
}

geotrain::Heartbeat
WindowReceiver::Current() const
{
    return {m_next, std::min(m_next + static_cast<std::int64_t>(m_arrived.size()), m_end)};
}

void
WindowReceiver::SendHeartbeat()
{
    m_isNewsPending = false;
    ++m_counters.heartbeats;
    m_port.pacer.Send(NowNs(), m_settings.heartbeatSize.Count());
    m_port.out.Receive(MakeHeartbeatPacket(m_settings, m_port.address, Current()));
}

void
WindowReceiver::AwaitTick()
{
    if (m_isTicking || m_isSilent)
    {
        return;
    }
    m_isTicking = true;
    m_event->ScheduleIn(m_settings.heartbeatInterval.ToNanoseconds());
}

void
WindowReceiver::Tick()
{
    m_isTicking = false;
    if (m_isSilent || (!m_isNewsPending && !HasWork()))
    {
        return;
    }
    SendHeartbeat();
    AwaitTick();
}

void
WindowReceiver::SetSink(PayloadSink& sink)
{
    m_sink = &sink;
}

bool
WindowReceiver::HasWork() const
{
    return !m_requests.empty();
}

const WindowReceiver::Counters&
WindowReceiver::GetCounters() const
{
    return m_counters;
}

} // namespace ns3
