// SPDX-License-Identifier: GPL-2.0-only
// Models FQ-CoDel (RFC 8290): flows are hashed to queues, each with CoDel of its own. Queues send in
// turns of a quantum of bytes (deficit round robin), and those that were empty go first, for one turn.
// When all is full, half of the longest queue is dropped from its head, up to 64 packets (section 4.1.3).
// It ignores Linux's cobalt and cake.
#pragma once

#include "wan-topology/model/codel-queue.h"
#include "wan-topology/model/queue-discipline.h"
#include "wan-topology/model/queue-limit.h"

#include "units/growing-ring.h"

#include <vector>

namespace ns3
{

/// FqCoDel is a queue per flow.
class FqCoDel : public QueueDiscipline
{
  public:
    /// `limit` is of all queues together, and `mtu` is what CoDel lets stand. `flowOf` returns a number
    /// below settings.flows.
    FqCoDel(const geotrain::FqCoDelSettings& settings,
            const QueueLimit& limit,
            geotrain::Bytes mtu,
            PacketClassifier flowOf);

    void Enqueue(geotrain::Instant now, const PacketRecord& record) override;
    std::optional<PacketRecord> Dequeue(geotrain::Instant now) override;

  private:
    /// State says in which list a flow is.
    enum class State
    {
        Idle,
        New,
        Old
    };

    struct Flow
    {
        explicit Flow(const geotrain::CoDelSettings& settings)
            : coDel(settings)
        {
        }

        geotrain::GrowingRing<Waiting> packets;
        geotrain::Bytes bytes;
        std::int64_t deficit = 0; ///< bytes
        State state = State::Idle;
        CoDelQueue coDel;
    };

    using List = geotrain::GrowingRing<std::size_t>; ///< indices into m_flows

    Flow& FlowOf(const PacketRecord& record);
    bool IsOverLimit() const;
    void DropFromLongest();
    Waiting TakeFirst(Flow& flow);
    std::optional<PacketRecord> DequeueFrom(Flow& flow, geotrain::Instant now);

    geotrain::FqCoDelSettings m_settings;
    QueueLimit m_limit;
    geotrain::Bytes m_mtu;
    PacketClassifier m_flowOf;
    std::vector<std::int32_t> m_indices; ///< into m_flows, by number; -1: none came yet
    std::vector<Flow> m_flows;           ///< in the order in which they came
    List m_new;
    List m_old;
    std::int64_t m_packets = 0;
};

} // namespace ns3
