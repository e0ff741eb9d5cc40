// SPDX-License-Identifier: GPL-2.0-only
// Splits a record in two, so that one half can be predicted of the other.
#pragma once

#include "path-learning/packet-trace.h"

namespace geotrain
{

/// Returns the packets sent in one half of the trace's time, as a record of its own.
inline PacketTrace
HalfOf(const PacketTrace& trace, bool isSecond)
{
    PacketTrace half;
    half.name = trace.name;
    const Instant middle =
        Instant::FromNanoseconds((trace.packets.back().sent - Instant()).ToNanoseconds() / 2);
    for (const TracedPacket& packet : trace.packets)
    {
        if ((packet.sent >= middle) == isSecond)
        {
            half.packets.push_back(packet);
        }
    }
    FinishTrace(half);
    return half;
}

} // namespace geotrain
