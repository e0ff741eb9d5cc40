// SPDX-License-Identifier: GPL-2.0-only
// Between which nodes each connection is: a record names only the node that it goes to.
#pragma once

#include "wan-topology/model/packet-record.h"

#include <cstdint>
#include <vector>

namespace ns3
{

struct FlowEnds
{
    std::uint32_t source;      ///< node that sends data
    std::uint32_t destination; ///< node
};

/// By FlowNumber.
using FlowTable = std::vector<FlowEnds>;

/// The node that has sent `record`.
inline std::uint32_t
SourceOf(const PacketRecord& record, const FlowTable& flows)
{
    const FlowEnds& ends = flows[record.flow];
    return record.destination == ends.destination ? ends.source : ends.destination;
}

} // namespace ns3
