// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-source-meter.h"

namespace ns3
{

LightSourceMeter::LightSourceMeter(std::uint32_t site,
                                   std::uint32_t nodes,
                                   const WanAddressPlan& plan,
                                   const FlowTable& flows,
                                   LightLink& link)
    : m_site(site),
      m_nodes(nodes),
      m_plan(plan),
      m_flows(flows),
      m_link(link)
{
}

void
LightSourceMeter::Receive(const PacketRecord& record)
{
    const std::int64_t before = m_link.Model().GetCounters().acceptedBytes;
    m_link.Receive(record);
    const std::uint32_t source = SourceOf(record, m_flows);
    if (source < m_nodes && m_plan.SiteOf(source) == m_site)
    {
        m_bytes += m_link.Model().GetCounters().acceptedBytes - before;
    }
}

std::int64_t
LightSourceMeter::Bytes() const
{
    return m_bytes;
}

} // namespace ns3
