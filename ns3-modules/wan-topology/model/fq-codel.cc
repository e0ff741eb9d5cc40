// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/fq-codel.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using geotrain::Bytes;
using geotrain::Instant;

namespace
{

constexpr int mostDropsAtOnce = 64; ///< packets (RFC 8290, section 4.1.3)

} // namespace

FqCoDel::FqCoDel(const geotrain::FqCoDelSettings& settings,
                 const QueueLimit& limit,
                 Bytes mtu,
                 PacketClassifier flowOf)
    : m_settings(settings),
      m_limit(limit),
      m_mtu(mtu),
      m_flowOf(std::move(flowOf)),
      m_indices(static_cast<std::size_t>(settings.flows), -1)
{
    if (m_settings.quantum == Bytes())
    {
        m_settings.quantum = mtu;
    }
}

FqCoDel::Flow&
FqCoDel::FlowOf(const PacketRecord& record)
{
    std::int32_t& index = m_indices.at(m_flowOf(record));
    if (index < 0)
    {
        index = static_cast<std::int32_t>(m_flows.size());
        m_flows.emplace_back(m_settings.coDel);
    }
    return m_flows[static_cast<std::size_t>(index)];
}

void
FqCoDel::Enqueue(Instant now, const PacketRecord& record)
{
    Flow& flow = FlowOf(record);
    flow.packets.PushBack({record, now});
    flow.bytes += Bytes::Of(record.wireSize);
    ++m_packets;
    Added(record);
    if (flow.state == State::Idle)
    {
        flow.state = State::New;
        flow.deficit = m_settings.quantum.Count();
        m_new.PushBack(static_cast<std::size_t>(&flow - m_flows.data()));
    }
    if (IsOverLimit())
    {
        DropFromLongest();
    }
}

bool
FqCoDel::IsOverLimit() const
{
    return m_packets > m_limit.packets || m_limit.bytes < GetCounters().waiting;
}

void
FqCoDel::DropFromLongest()
{
    Flow& longest =
        *std::max_element(m_flows.begin(),
                          m_flows.end(),
                          [](const Flow& a, const Flow& b) { return a.bytes < b.bytes; });
    const std::int64_t half = longest.bytes.Count() / 2;
    std::int64_t dropped = 0;
    int drops = 0;
    do
    {
        const Waiting first = TakeFirst(longest);
        dropped += first.Size().Count();
        DropWaiting(first);
    } while (++drops < mostDropsAtOnce && dropped < half);
}

FqCoDel::Waiting
FqCoDel::TakeFirst(Flow& flow)
{
    --m_packets;
    const Waiting first = flow.packets.PopFront();
    flow.bytes = flow.bytes - first.Size();
    return first;
}

std::optional<PacketRecord>
FqCoDel::Dequeue(Instant now)
{
    while (!m_new.Empty() || !m_old.Empty())
    {
        const bool isNew = !m_new.Empty();
        List& list = isNew ? m_new : m_old;
        const std::size_t index = list.Front();
        Flow& flow = m_flows[index];
        if (flow.deficit <= 0)
        {
            flow.deficit += m_settings.quantum.Count();
            list.PopFront();
            flow.state = State::Old;
            m_old.PushBack(index);
            continue;
        }
        if (const std::optional<PacketRecord> record = DequeueFrom(flow, now))
        {
            flow.deficit -= record->wireSize;
            return record;
        }
        // A new flow that is empty waits a round among the old ones, so that it can't come back as new
        // and starve them (section 4.2).
        list.PopFront();
        flow.state = isNew ? State::Old : State::Idle;
        if (isNew)
        {
            m_old.PushBack(index);
        }
    }
    return std::nullopt;
}

/// Takes packets of the flow until CoDel lets one go.
std::optional<PacketRecord>
FqCoDel::DequeueFrom(Flow& flow, Instant now)
{
    while (!flow.packets.Empty())
    {
        const Waiting first = TakeFirst(flow);
        const geotrain::Duration wait = now - first.since;
        const AqmVerdict verdict =
            flow.coDel.Decide(now, wait, flow.bytes > m_mtu, first.IsEcnCapable());
        if (verdict == AqmVerdict::Drop)
        {
            DropWaiting(first);
            continue;
        }
        const bool isAbove =
            m_settings.ceThreshold && wait > *m_settings.ceThreshold && first.IsEcnCapable();
        return Leave(first, now, verdict == AqmVerdict::Mark || isAbove);
    }
    return std::nullopt;
}

} // namespace ns3
