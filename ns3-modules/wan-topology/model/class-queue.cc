// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/class-queue.h"

#include <utility>

namespace ns3
{

using geotrain::Instant;

ClassQueue::ClassQueue(const std::vector<geotrain::TrafficClass>& classes,
                       const QueueLimit& limitOfEach,
                       geotrain::Bytes mtu,
                       PacketClassifier classOf)
    : m_waiting(std::nullopt, mtu),
      m_classOf(std::move(classOf))
{
    for (const geotrain::TrafficClass& one : classes)
    {
        m_classes.push_back({one.priority, {}});
        ClassShaper<Waiting>::ClassSettings settings;
        settings.queue = limitOfEach;
        settings.weight = geotrain::ShareAmongPeers(one, classes);
        if (one.rate && one.police)
        {
            m_classes.back().policer.emplace(*one.rate, one.burst);
        }
        else
        {
            settings.rate = one.rate;
        }
        m_waiting.AddClass(settings);
    }
}

void
ClassQueue::Enqueue(Instant now, const PacketRecord& record)
{
    const std::uint32_t number = m_classOf(record);
    const Waiting packet{record, now};
    Class& ofPacket = m_classes.at(number);
    if (ofPacket.policer)
    {
        if (!ofPacket.policer->Conforms(now, packet.Size()))
        {
            DropBefore(record);
            return;
        }
        ofPacket.policer->Take(packet.Size());
    }
    if (!m_waiting.Enqueue(now, number, packet, packet.Size(), ofPacket.priority))
    {
        DropBefore(record);
        return;
    }
    Added(record);
}

std::optional<PacketRecord>
ClassQueue::Dequeue(Instant now)
{
    const std::optional<Waiting> first = m_waiting.Release(now);
    return first ? std::optional(Leave(*first, now, false)) : std::nullopt;
}

std::optional<Instant>
ClassQueue::Ready(Instant now) const
{
    return m_waiting.NextRelease(now);
}

} // namespace ns3
