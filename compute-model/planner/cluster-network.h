// The analytic network of the nodes that a plan uses: NICs, caps and WAN links as rates that
// messages share, and the connections of each node pair.
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
