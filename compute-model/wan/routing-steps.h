// SPDX-License-Identifier: GPL-2.0-only
// Finds what routers know: at each site the next link to each destination, by the topology's routing
// (Dijkstra's algorithm, Boost.Graph). Of paths that the routing takes for equal, the one of fewest links
// goes; of those the one that takes, at every site from the source on, the fastest link, and of those the
// one of lowest index. Load plays no part.
#pragma once

#include "wan/wan-topology.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// A RoutingStep is what a site knows of a destination.
struct RoutingStep
{
    static constexpr std::uint32_t noLink = UINT32_MAX;

    std::int64_t delayNs = -1;   ///< delay to the destination; negative: no path
    std::uint32_t link = noLink; ///< next link; noLink at the destination itself
};

/// Returns the steps, destination after destination: sites x sites. `isOut` says by link which are not to
/// be taken; empty: none.
std::vector<RoutingStep> FindRoutingSteps(const WanTopology& topology,
                                          const std::vector<bool>& isOut);

} // namespace geotrain
