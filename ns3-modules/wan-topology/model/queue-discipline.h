// SPDX-License-Identifier: GPL-2.0-only
// Defines what decides which of the packets that wait before a link is sent next, and which are dropped
// or marked. A link model decides a packet's fate when it comes, so that a later packet can't overtake
// it; a queue discipline holds packets instead, and gives one whenever the link is free (LightQueue). It
// is a function of time and knows no clock.
#pragma once

#include "wan-topology/model/packet-ledger.h"
#include "wan-topology/model/packet-record.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3
{

/// Returns the number of the queue, flow or class that a packet belongs to.
using PacketClassifier = std::function<std::uint32_t(const PacketRecord&)>;

/// A QueueDiscipline is the interface to all of them, and counts for them.
class QueueDiscipline
{
  public:
    struct Counters
    {
        geotrain::Bytes waiting;
        std::uint64_t drops = 0;
        std::uint64_t marks = 0;
        std::int64_t queueingNs = 0; ///< waiting time of the packets that have left, summed
    };

    virtual ~QueueDiscipline() = default;

    /// Takes a packet that comes at `now`, which never goes back; it may drop it, or others.
    virtual void Enqueue(geotrain::Instant now, const PacketRecord& record) = 0;

    /// Returns the packet that is sent at `now`; nothing where none waits or may go.
    virtual std::optional<PacketRecord> Dequeue(geotrain::Instant now) = 0;

    /// Returns the earliest time from `now` on at which a packet may go; nothing where none waits.
    virtual std::optional<geotrain::Instant> Ready(geotrain::Instant now) const
    {
        return m_counters.waiting == geotrain::Bytes() ? std::nullopt : std::optional(now);
    }

    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// Tells `ledger`, which outlives the discipline, of packets that are dropped; null: nobody asks.
    void Tell(PacketLedger* ledger)
    {
        m_ledger = ledger;
    }

    /// Counts a packet that is dropped before the queue.
    void DropBefore(const PacketRecord& record)
    {
        ++m_counters.drops;
        if (m_ledger)
        {
            m_ledger->Dropped(record);
        }
    }

  protected:
    /// A Waiting is a packet in a queue.
    struct Waiting
    {
        PacketRecord record;
        geotrain::Instant since;

        geotrain::Bytes Size() const
        {
            return geotrain::Bytes::Of(record.wireSize);
        }

        bool IsEcnCapable() const
        {
            return (record.flags & PacketRecord::EctCapable) != 0;
        }
    };

    /// Counts a packet that waits from now on.
    void Added(const PacketRecord& record)
    {
        m_counters.waiting += geotrain::Bytes::Of(record.wireSize);
    }

    /// Counts a packet that has waited, and is dropped.
    void DropWaiting(const Waiting& packet)
    {
        m_counters.waiting = m_counters.waiting - packet.Size();
        DropBefore(packet.record);
    }

    /// Counts a packet that has waited, and goes. Returns its record, marked where it says so.
    PacketRecord Leave(const Waiting& packet, geotrain::Instant now, bool isMarked)
    {
        m_counters.waiting = m_counters.waiting - packet.Size();
        m_counters.queueingNs += (now - packet.since).ToNanoseconds();
        PacketRecord record = packet.record;
        if (isMarked)
        {
            ++m_counters.marks;
            record.flags |= PacketRecord::CongestionExperienced;
        }
        return record;
    }

  private:
    Counters m_counters;
    PacketLedger* m_ledger = nullptr;
};

} // namespace ns3
