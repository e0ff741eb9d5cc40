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

/// Makes the first packet's time 0. Throws ConfigError unless the packets are a record that
/// something can be learned from: at least two arrive, and no clock jumps.
void FinishTrace(PacketTrace& trace);

/// Returns the tick of the record's clocks in ns: the greatest common divisor of its times.
std::int64_t TickOf(const PacketTrace& trace);

/// Returns the least delay of what arrived.
Duration LeastDelay(const PacketTrace& trace);

/// BusyTrains are runs of packets each of which was sent while the one before was in the buffer.
struct BusyTrains
{
    Duration longest; ///< from the first arrival to the last, of trains that are long enough
    double bytes = 0; ///< of all packets but the first of each train
    Duration time;    ///< in which these arrived
    std::size_t packets = 0;
};

BusyTrains TrainsOf(const PacketTrace& trace);

constexpr std::size_t shortestTrain = 50; ///< packets: granularity of a packet is 2 % of a train

/// Returns whether packets followed each other through a busy buffer often enough to show its rate.
/// Where not, the rate is what was sent at most, which the path has at least.
bool ShowsRate(const PacketTrace& trace);

} // namespace geotrain
