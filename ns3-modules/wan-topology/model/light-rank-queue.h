// SPDX-License-Identifier: GPL-2.0-only
// Models the queue of a light link that serves by rank. A link computes a packet's departure when the
// packet comes, so that a later one can't overtake it. So packets wait here, and the link gets the first
// of the highest rank whenever it is free. A packet of the highest rank thus waits for others of its
// rank, and at most for the one that is being sent. It costs an event per departure of a busy link.
#pragma once

#include "wan-topology/model/flow-ends.h"
#include "wan-topology/model/light-link.h"
#include "wan-topology/model/ranked-queue.h"

namespace ns3
{

/// LightRankQueue stands before a link that has no limit of its own.
class LightRankQueue : public PacketElement
{
  public:
    /// `next` gives what it gets to `link`. All that is named outlives the queue.
    LightRankQueue(const QueueLimit& limit,
                   const FlowTable& flows,
                   const LightLink& link,
                   PacketElement& next,
                   PacketLedger* ledger = nullptr);

    void Receive(const PacketRecord& record) override;

    geotrain::Bytes QueuedBytes() const;
    std::uint64_t Drops() const;
    std::int64_t QueueingNs() const; ///< waiting time of the packets that have left, summed

  private:
    struct Waiting
    {
        PacketRecord record;
        std::int64_t sinceNs;
    };

    std::int64_t TurnNs() const;
    void Release();

    RankedQueue<Waiting> m_waiting;
    const FlowTable& m_flows;
    const LightLink& m_link;
    PacketElement& m_next;
    PacketLedger* m_ledger; ///< null: nobody asks
    LazyTimer m_timer;
    std::uint64_t m_drops = 0;
    std::int64_t m_queueingNs = 0;
};

} // namespace ns3
