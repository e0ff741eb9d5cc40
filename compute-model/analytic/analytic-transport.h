// SPDX-License-Identifier: GPL-2.0-only
// The analytic network of a WAN: what node pairs share (wan/resources.h) as rates, and the
// connections of each pair. Runs and plans make theirs here.
#pragma once

#include "analytic/analytic-network.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// What carries messages between nodes.
struct AnalyticTransport
{
    std::uint32_t connections = 1;        ///< per node pair over the WAN
    std::uint32_t intraDcConnections = 1; ///< per node pair inside a data centre
    AnalyticConnection connection;
    double payloadShare = 1; ///< of the bits on a link, in (0, 1]; the rest are packet headers
};

/// `pairs` are the directed node pairs that are used.
AnalyticTopology MakeAnalyticTopology(const WanTopology& wan,
                                      const AnalyticTransport& transport,
                                      const std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
