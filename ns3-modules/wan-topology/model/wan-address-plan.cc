// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/wan-address-plan.h"

namespace ns3
{

WanAddressPlan::WanAddressPlan(const geotrain::WanTopology& topology)
{
    for (std::uint32_t site = 0; site < topology.sites.size(); ++site)
    {
        m_firstNode.push_back(static_cast<std::uint32_t>(m_siteOf.size()));
        m_siteOf.insert(m_siteOf.end(), topology.sites[site].nodes, site);
    }
    m_firstNode.push_back(static_cast<std::uint32_t>(m_siteOf.size()));
}

Ipv4Address
WanAddressPlan::AddressOf(std::uint32_t node) const
{
    const std::uint32_t site = m_siteOf[node];
    return Ipv4Address(s_base + site * s_sitePrefix + node - m_firstNode[site] + 1);
}

Ipv4Address
WanAddressPlan::NetworkOf(std::uint32_t site) const
{
    return Ipv4Address(s_base + site * s_sitePrefix);
}

Ipv4Mask
WanAddressPlan::NetworkMask()
{
    return Ipv4Mask(~(s_sitePrefix - 1));
}

Ipv4Address
WanAddressPlan::RouterPort(std::uint32_t number)
{
    return Ipv4Address(0xac100001 + number); // 172.16.0.1
}

} // namespace ns3
