// SPDX-License-Identifier: GPL-2.0-only
// Defines what the switch, the senders and the receivers of an in-network optimizer agree upon:
// sizes of packets, slots of the switch, window, heartbeats and timeout. LuWu (arXiv 2409.00918)
// gives the timeout alone; the packet is that of SwitchML (NSDI'21), and the rest are estimates.
#pragma once

#include "units/bytes.h"

#include <cstdint>

namespace geotrain
{

/// AggregationSettings hold for all elements of one in-network optimizer.
struct AggregationSettings
{
    /// Acknowledgement says how a sender learns what has arrived.
    enum class Acknowledgement
    {
        Heartbeat,  ///< LuWu: the switch sends the least of its children's once an interval
        EachPacket, ///< each child acknowledges each packet, and the switch passes it on
        Result      ///< SwitchML: the sum goes back to the children and acknowledges itself
    };

    static constexpr std::uint32_t s_bitmapWidth = 64; ///< children of one switch at most

    Acknowledgement acknowledgement = Acknowledgement::Heartbeat;
    Bytes payload = Bytes::Of(1024); ///< SwitchML, section 3.6
    /// IPv4 (20), UDP (8), sequence number (4), slot and version (2), child (2).
    Bytes header = Bytes::Of(36);
    /// Size of a heartbeat or an acknowledgement. 32 of them take 70 Gbit/s of 100 beside packets
    /// of 1,024 bytes (LuWu): 0.073 of a packet each.
    Bytes heartbeatSize = Bytes::Of(75);
    std::uint32_t slots = 512;                  ///< slots of a switch for each server; an estimate
    Bytes switchMemory = Bytes::Of(48LL << 20); ///< LuWu's switch: 48 MiB
    std::uint32_t integerBytes = 2; ///< bytes of an integer on the wire; the switch adds in 4
    /// Bytes that a sender may have out: 100 Gbit/s times a round trip of 10 us and two intervals.
    Bytes window = Bytes::Of(375000);
    Duration heartbeatInterval = Duration::Microseconds(10); ///< an estimate
    Duration timeout = Duration::Milliseconds(1000);         ///< LuWu
    /// A sender gives up after so many timeouts in a row, as Linux's TCP does (tcp_retries2).
    std::uint32_t retries = 15;

    /// Returns the packets of `length` bytes; the last one may be shorter.
    std::int64_t PacketsIn(Bytes length) const;

    std::int64_t WindowPackets() const;

    /// Returns what a NIC keeps ready at its link: 16 packets.
    Bytes Burst() const;

    /// Returns the memory that the slots for one server take: two copies of 4 bytes an integer, and
    /// the bitmap, count and sequence number of each.
    Bytes SlotMemory() const;

    /// Throws ConfigError that names the field below `path` where fields don't fit each other, the
    /// `children` of one switch or the slots for `servers`. The scenario's schema has the range of each
    /// field by itself.
    void
    Check(std::uint32_t children, std::uint32_t servers, const char* path = "in_network") const;
};

} // namespace geotrain
