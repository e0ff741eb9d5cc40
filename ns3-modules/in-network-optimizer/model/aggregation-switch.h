// SPDX-License-Identifier: GPL-2.0-only
// Models a programmable switch of an in-network optimizer: it adds up the packets of its children
// and sends each sum upwards once, hands what comes from above to all children, and speaks for
// them: it keeps the latest heartbeat of each and every interval sends the least of them upwards.
// A switch below another looks to it like a worker, so that switches make a tree. Without anything
// above, it sends the sums back to its children (SwitchML). It takes no time besides its links'.
#pragma once

#include "in-network-optimizer/model/aggregation-packet.h"
#include "in-network/aggregation-slots.h"
#include "wan-topology/model/reusable-event.h"

#include <vector>

namespace ns3
{

/// AggregationSwitch has a port below, for its children, and a port above.
class AggregationSwitch
{
  public:
    struct Counters
    {
        std::int64_t sums = 0;     ///< results sent for the first time
        std::int64_t answered = 0; ///< results sent again, from the shadow copy
        std::int64_t duplicates = 0;
        std::int64_t stale = 0;
        std::int64_t packets = 0; ///< packets of any kind that came in
        std::int64_t heartbeatsUp = 0;
        std::uint32_t mostSlots = 0; ///< most slots of a server that waited for a child at once
    };

    /// The settings have been checked for `children` and `servers`.
    AggregationSwitch(const geotrain::AggregationSettings& settings,
                      std::uint32_t children,
                      std::uint32_t servers);
    ~AggregationSwitch();
    AggregationSwitch(const AggregationSwitch&) = delete;
    AggregationSwitch& operator=(const AggregationSwitch&) = delete;

    /// Adds the link down to the next child. It outlives the switch, and so does that upwards.
    void AddChild(PacketElement& down);

    /// Packets for `server` go up through `up`, as those of child `child` there.
    void ConnectUp(FlowNumber server, PacketElement& up, std::uint32_t child);

    PacketElement& Below();
    PacketElement& Above();

    const Counters& GetCounters() const;

  private:
    /// A Stream is what the switch holds for one server.
    struct Stream
    {
        geotrain::AggregationSlots slots;
        geotrain::LeastHeartbeat heartbeats;
        PacketElement* up = nullptr;
        AggregationAddress address{};
        std::uint32_t quietTicks = 0; ///< ticks since the last heartbeat came
    };

    void ReceiveFromBelow(const PacketRecord& record);
    void ReceiveFromAbove(const PacketRecord& record);
    void Add(const PacketRecord& record);
    void SendResult(Stream& stream, const PacketRecord& record, bool isAnswer);
    void TakeHeartbeat(const PacketRecord& record);
    void Tick();

    using BelowPort = PortOf<AggregationSwitch, &AggregationSwitch::ReceiveFromBelow>;
    using AbovePort = PortOf<AggregationSwitch, &AggregationSwitch::ReceiveFromAbove>;
    using Event = ReusableEvent<AggregationSwitch, &AggregationSwitch::Tick>;

    const geotrain::AggregationSettings m_settings;
    std::vector<PacketElement*> m_down; ///< by child
    std::vector<Stream> m_streams;      ///< by server
    BelowPort m_below{*this};
    AbovePort m_above{*this};
    bool m_isTicking = false;
    Ptr<Event> m_event;
    Counters m_counters;
};

} // namespace ns3
