// SPDX-License-Identifier: GPL-2.0-only
// Tells the packets of a record apart that took different ways side by side, by their order: a FIFO
// delivers in the order of sending, so that a packet and one that overtakes it took two ways. Lane 0 has
// the packets that nothing overtook, lane 1 those that only these overtook, and so on. Packets of a slow
// lane that nothing happened to overtake are then moved to the lane whose packets were delayed like them
// at that time. It is right where the lanes' delays differ by more than they change from packet to packet.
#pragma once

#include "path-learning/packet-trace.h"

#include <vector>

namespace geotrain
{

/// Returns the lane of each packet. A lost packet is in the lane that was fuller. Throws ConfigError
/// where too few packets were overtaken for so many lanes, which are at least one.
std::vector<std::size_t> SplitLanes(const PacketTrace& trace, std::size_t lanes);

/// Returns the packets of one lane, at their times.
PacketTrace
PacketsOf(const PacketTrace& trace, const std::vector<std::size_t>& laneOf, std::size_t lane);

} // namespace geotrain
