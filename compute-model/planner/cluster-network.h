// The analytic network of the nodes that a plan uses: NICs, caps and WAN links as rates that
// messages share. The connections of a node pair are one here, with their windows added up:
// striping shares a message out over them evenly, so that they end together.
#pragma once

#include "analytic/analytic-network.h"
#include "planner/cluster.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace geotrain
{

/// `dataCenterOfNode` are indices into the cluster's; `pairs` are the directed node pairs that are
/// used.
AnalyticTopology MakeAnalyticTopology(const Cluster& cluster,
                                      const std::vector<std::uint32_t>& dataCenterOfNode,
                                      const std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
