// SPDX-License-Identifier: GPL-2.0-only
// Bounds the throughput of the WAN: what a directed link, or a directed pair of data centres, can
// carry for the node pairs of a run. It is the link's rate, or what the caps and NICs of the nodes
// let through where that is less. Figures draw it above the throughput.
#pragma once

#include "wan/resources.h"

#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// A ThroughputBound is the rate that something directed can't exceed.
struct ThroughputBound
{
    std::string name; ///< "a -> b", as the link's or of the data centres
    double bitsPerSecond = 0;
};

/// Returns the bound of each direction of each link, in the order of the links. A direction that no
/// pair crosses, there or back, has the link's rate. Acknowledgements count as the pair in the
/// other direction. Where a link's rate changes, its highest rate counts. `paths` are those of the run,
/// which are found where they are not given.
std::vector<ThroughputBound> BoundsOfLinks(const WanTopology& topology,
                                           const std::vector<NodePair>& pairs,
                                           std::shared_ptr<const WanPaths> paths = nullptr);

/// Returns the bound of each directed pair of data centres between which pairs go, sorted by site.
std::vector<ThroughputBound> BoundsOfDataCentres(const WanTopology& topology,
                                                 const std::vector<NodePair>& pairs);

} // namespace geotrain
