// SPDX-License-Identifier: GPL-2.0-only
// Makes the packets of an in-network optimizer. A record's `flow` is the number of the server,
// `offset` the sequence number in packets, `length` the bytes of the payload. A heartbeat has the
// next expected sequence number in `offset`, and in `window` the packets that may follow it.
#pragma once

#include "in-network/aggregation-settings.h"
#include "in-network/least-heartbeat.h"
#include "wan-topology/model/packet-record.h"

namespace ns3
{

/// An AggregationAddress says whose packets they are.
struct AggregationAddress
{
    FlowNumber server;   ///< number of the server
    std::uint32_t child; ///< sender's number below its switch; 0 for a server
};

class NicPacer;

/// A StreamPort is where the packets of one end of a stream leave.
struct StreamPort
{
    AggregationAddress address; ///< whose packets they are
    NicPacer& pacer;            ///< of the NIC, whose ends share it
    PacketElement& out;
};

/// PortOf is an element that hands the packets of one side of `Owner` to a method of it.
template <typename Owner, void (Owner::*method)(const PacketRecord&)>
class PortOf : public PacketElement
{
  public:
    explicit PortOf(Owner& owner)
        : m_owner(owner)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        (m_owner.*method)(record);
    }

  private:
    Owner& m_owner;
};

/// Returns a packet without payload, of `kind` and `wireSize`.
inline PacketRecord
MakeAggregationPacket(const AggregationAddress& address,
                      PacketRecord::Kind kind,
                      std::int64_t wireSize)
{
    PacketRecord record{};
    record.flow = address.server;
    record.kind = kind;
    record.protocol = PacketRecord::s_aggregation;
    record.wireSize = static_cast<std::uint16_t>(wireSize);
    record.aggregation.child = address.child;
    return record;
}

inline PacketRecord
MakeHeartbeatPacket(const geotrain::AggregationSettings& settings,
                    const AggregationAddress& address,
                    const geotrain::Heartbeat& heartbeat)
{
    PacketRecord record =
        MakeAggregationPacket(address, PacketRecord::Kind::Ack, settings.heartbeatSize.Count());
    record.offset = static_cast<std::uint64_t>(heartbeat.ack);
    record.window = static_cast<std::uint32_t>(heartbeat.creditEnd - heartbeat.ack);
    return record;
}

inline geotrain::Heartbeat
HeartbeatOf(const PacketRecord& record)
{
    const auto ack = static_cast<std::int64_t>(record.offset);
    return {ack, ack + record.window};
}

} // namespace ns3
