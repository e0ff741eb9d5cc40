// SPDX-License-Identifier: GPL-2.0-only
#include "wan/wan-topology.h"

#include <stdexcept>

namespace geotrain
{

std::uint32_t
WanTopology::NodeCount() const
{
    std::uint32_t count = 0;
    for (const Site& site : sites)
    {
        count += site.nodes;
    }
    return count;
}

std::uint32_t
WanTopology::SiteOf(std::uint32_t node) const
{
    std::uint32_t first = 0;
    for (std::uint32_t site = 0; site < sites.size(); ++site)
    {
        first += sites[site].nodes;
        if (node < first)
        {
            return site;
        }
    }
    throw std::invalid_argument("WanTopology::SiteOf: no such node");
}

} // namespace geotrain
