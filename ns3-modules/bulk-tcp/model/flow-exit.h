// SPDX-License-Identifier: GPL-2.0-only
// Makes the packets that one end of a connection sends.
#pragma once

#include "bulk-tcp/model/timestamp.h"
#include "wan-topology/model/packet-record.h"

namespace ns3
{

/// A FlowExit is the way from an end of a connection to the other end.
struct FlowExit
{
    FlowNumber flow;
    std::uint32_t peer; ///< node
    PacketElement& out; ///< takes the packets, and outlives the end
    std::uint8_t dscp = 0; ///< mark of the packets
    /// Whether `out` takes bursts as one record, at the moment; null: it never does.
    const bool* takesBursts = nullptr;

    bool TakesBursts() const
    {
        return takesBursts != nullptr && *takesBursts;
    }

    /// Returns a packet that leaves at `nowNs`, with its addresses, size and timestamp.
    PacketRecord
    MakePacket(PacketRecord::Kind kind, std::uint32_t wireSize, std::int64_t nowNs) const
    {
        PacketRecord record{};
        record.flow = flow;
        record.destination = peer;
        record.protocol = PacketRecord::s_tcp;
        record.dscp = dscp;
        record.kind = kind;
        record.wireSize = static_cast<std::uint16_t>(wireSize);
        record.timestampMs = TimestampMs(nowNs);
        return record;
    }
};

} // namespace ns3
