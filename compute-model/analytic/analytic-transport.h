// SPDX-License-Identifier: GPL-2.0-only
// Makes the analytic network of a WAN: what node pairs share (wan/resources.h) becomes rates, and
// each pair gets its connections. Runs and plans both use it.
#pragma once

#include "analytic/analytic-network.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// An AnalyticTransport says which connections carry messages between nodes.
struct AnalyticTransport
{
    std::uint32_t connections = 1;        ///< per node pair over the WAN
    std::uint32_t intraDcConnections = 1; ///< per node pair inside a data centre
    AnalyticConnection connection;
    double payloadShare = 1; ///< payload's share of the bits on a link, in (0, 1]; not headers
    std::uint64_t seed = 1;  ///< of the links' random losses
};

/// Makes the topology. `pairs` are the directed node pairs that are used.
AnalyticTopology MakeAnalyticTopology(const WanTopology& wan,
                                      const AnalyticTransport& transport,
                                      const std::vector<Network::WarmUp>& pairs);

} // namespace geotrain
