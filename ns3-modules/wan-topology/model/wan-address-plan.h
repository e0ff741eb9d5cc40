// SPDX-License-Identifier: GPL-2.0-only
// Plans the IPv4 addresses of a WanTopology: a node is 10.0.0.0 + site x 4096 + its number in the
// site + 1. So a site is a /20, and an address is turned into a node without a map. Router ports
// are numbered from 172.16.0.1.
#pragma once

#include "wan/wan-topology.h"

#include <ns3/ipv4-address.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/// WanAddressPlan maps nodes to addresses and back.
class WanAddressPlan
{
  public:
    /// `topology` must be valid (WanValidation: at most 4,096 sites of 4,094 nodes).
    explicit WanAddressPlan(const geotrain::WanTopology& topology);

    Ipv4Address AddressOf(std::uint32_t node) const;
    Ipv4Address NetworkOf(std::uint32_t site) const;
    static Ipv4Mask NetworkMask();

    /// Returns the address of the `number`th router port of the whole topology.
    static Ipv4Address RouterPort(std::uint32_t number);

    /// Returns the node with this address (in host byte order), if there is one.
    std::optional<std::uint32_t> NodeOf(std::uint32_t address) const
    {
        const std::uint32_t site = (address - s_base) / s_sitePrefix;
        const std::uint32_t host = (address - s_base) % s_sitePrefix;
        if (site + 1 >= m_firstNode.size() || host == 0 ||
            m_firstNode[site] + host > m_firstNode[site + 1])
        {
            return std::nullopt;
        }
        return m_firstNode[site] + host - 1;
    }

    std::uint32_t SiteOf(std::uint32_t node) const
    {
        return m_siteOf[node];
    }

  private:
    static constexpr std::uint32_t s_base = 0x0a000000; // 10.0.0.0
    static constexpr std::uint32_t s_sitePrefix = 4096;

    std::vector<std::uint32_t> m_firstNode; ///< first node per site, then the number of nodes
    std::vector<std::uint32_t> m_siteOf;    ///< site per node
};

} // namespace ns3
