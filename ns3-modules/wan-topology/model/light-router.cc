// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-router.h"

#include <ns3/abort.h>

namespace ns3
{

void
LightRouter::Route(std::uint32_t node, PacketElement& next)
{
    if (m_next.size() <= node)
    {
        m_next.resize(node + 1, nullptr);
    }
    m_next[node] = &next;
}

void
LightRouter::Receive(const PacketRecord& record)
{
    const std::uint32_t node = record.destination;
    NS_ABORT_MSG_IF(node >= m_next.size() || !m_next[node], "no path to node " << node);
    m_next[node]->Receive(record);
}

} // namespace ns3
