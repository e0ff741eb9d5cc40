// SPDX-License-Identifier: GPL-2.0-only
// Says what the delays of a record show: the propagation, if the buffer was ever empty, and stalls of the
// host that recorded them.
#pragma once

#include "path-learning/packet-trace.h"

#include <vector>

namespace geotrain
{

/// Returns whether the buffer was seen empty: packets with about the least delay arrived more
/// slowly than `rate`. Where not, the least delay holds what always waited.
bool ShowsPropagation(const PacketTrace& trace, BitRate rate);

/// Returns the least delay without the packet's own time on the wire.
Duration LeastPropagation(const PacketTrace& trace, BitRate rate);

/// A Stall is a time in which the recording host, or the path, let nothing through. What had come
/// meanwhile then arrives at once, faster than the path carries it.
struct Stall
{
    Instant at; ///< of the last arrival before it
    Duration length;
};

/// Returns the stalls of a record. What arrived behind them then has the delays of an even flow.
std::vector<Stall> RemoveStalls(PacketTrace& trace, BitRate rate);

} // namespace geotrain
