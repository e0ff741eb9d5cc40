// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-router.h"

#include <ns3/abort.h>

namespace ns3
{

namespace
{

void
Set(std::vector<PacketElement*>& elements, std::uint32_t index, PacketElement& element)
{
    if (elements.size() <= index)
    {
        elements.resize(index + 1, nullptr);
    }
    elements[index] = &element;
}

[[noreturn]] void
AbortWithoutPath(std::uint32_t node)
{
    NS_ABORT_MSG("no path to node " << node);
}

} // namespace

LightRouter::LightRouter(const FlowTable& flows)
    : m_flows(&flows)
{
}

void
LightRouter::Route(std::uint32_t node, PacketElement& next)
{
    Set(m_next, node, next);
}

void
LightRouter::RouteWay(std::uint32_t way, PacketElement& next)
{
    Set(m_nextOfWay, way, next);
}

PacketElement*
LightRouter::NextOfWay(const PacketRecord& record) const
{
    const FlowEnds& ends = (*m_flows)[record.flow];
    const std::uint32_t way = record.destination == ends.destination ? ends.way : ends.wayBack;
    return way < m_nextOfWay.size() ? m_nextOfWay[way] : nullptr;
}

void
LightRouter::Receive(const PacketRecord& record)
{
    if (PacketElement* next = m_nextOfWay.empty() ? nullptr : NextOfWay(record))
    {
        next->Receive(record);
        return;
    }
    const std::uint32_t node = record.destination;
    if (node >= m_next.size() || !m_next[node])
    {
        AbortWithoutPath(node);
    }
    m_next[node]->Receive(record);
}

} // namespace ns3
