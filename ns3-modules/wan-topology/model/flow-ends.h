// SPDX-License-Identifier: GPL-2.0-only
// Says between which nodes each connection is, and its class: a record names only the node that it goes
// to.
#pragma once

#include "units/duration.h"
#include "wan-topology/model/packet-record.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// FlowEnds are the two ends of a connection.
struct FlowEnds
{
    std::uint32_t source;      ///< node that sends data
    std::uint32_t destination; ///< node
    std::uint32_t trafficClass = 0; ///< index into WanTopology::classes
    geotrain::Duration extraRoundTrip{}; ///< beyond the path's, half of it each way
    // LightWan::AddFlow() fills these in.
    int rank = 0;           ///< priority of its class, by which caps serve too
    std::uint8_t dscp = 0;  ///< mark of its class
    double draw = 0;        ///< of the connection, for parallel links and ways (geotrain::DrawOf)
    std::uint32_t hash = 0; ///< for queues per flow; independent of `draw`
    /// Its way to `destination` and back, for routers with explicit routes; 0: the next link by the
    /// destination alone.
    std::uint32_t way = 0;
    std::uint32_t wayBack = 0;
};

/// FlowTable holds the ends and the class of each connection by its FlowNumber.
using FlowTable = std::vector<FlowEnds>;

/// Returns the node that has sent `record`.
inline std::uint32_t
SourceOf(const PacketRecord& record, const FlowTable& flows)
{
    const FlowEnds& ends = flows[record.flow];
    return record.destination == ends.destination ? ends.source : ends.destination;
}

} // namespace ns3
