// SPDX-License-Identifier: GPL-2.0-only
// Defines what a learner sees of a path: when packets were sent, their sizes, and after which delay
// they arrived, if they did.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// TracedPacket is one packet.
struct TracedPacket
{
    Instant sent;
    Bytes size;                    ///< positive
    std::optional<Duration> delay; ///< one way, at least 0; none: the packet was lost
    std::size_t line = 0;          ///< where its sending is in the file
};

/// PacketTrace is a record of packets in the order in which they were sent.
struct PacketTrace
{
    std::string name;                  ///< of its file
    std::vector<TracedPacket> packets; ///< the first is sent at time 0
};

/// Returns a time of a record in seconds since its first packet was sent.
inline double
SecondsOf(Instant at)
{
    return (at - Instant()).ToSeconds();
}

/// Makes the first packet's time 0. Throws ConfigError unless the packets are a record that
/// something can be learned from: at least two arrive, and no clock jumps.
void FinishTrace(PacketTrace& trace);

/// Returns the tick of the record's clocks in ns: the greatest common divisor of its times.
std::int64_t TickOf(const PacketTrace& trace);

/// Returns the least delay of what arrived.
Duration LeastDelay(const PacketTrace& trace);

/// Returns the packets sent in one half of the trace's time, as a record of its own. Throws
/// ConfigError where it is none.
PacketTrace HalfOf(const PacketTrace& trace, bool isSecond);

} // namespace geotrain
