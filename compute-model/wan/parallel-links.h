// SPDX-License-Identifier: GPL-2.0-only
// Says which links share what goes from a site to the next (WanTopology::parallel), and which of them
// carries a connection.
#pragma once

#include "wan/wan-hop.h"
#include "wan/wan-topology.h"

#include <cstddef>
#include <vector>

namespace geotrain
{

/// LinkGroups are the parallel links of a topology, by direction.
class LinkGroups
{
  public:
    explicit LinkGroups(const WanTopology& topology);

    /// Returns the links that share what `of` carries, in their order: all links that lead that way
    /// (WanRouting::Direct), or those of them that the routing takes for equal; `of` alone where none
    /// shares.
    const std::vector<WanHop>& Of(const WanHop& of) const;

  private:
    std::vector<std::vector<WanHop>> m_groups;
    std::vector<std::size_t> m_groupOf; ///< of link i forward at 2i, backward at 2i+1
};

/// Returns which of the links that share a hop carries a connection of this draw (DrawOf). A link's chance
/// is its rate's share.
WanHop ChooseCarrier(const WanTopology& topology, const std::vector<WanHop>& sharing, double draw);

} // namespace geotrain
