// SPDX-License-Identifier: GPL-2.0-only
// Models one direction of a light link: packet records pass a LinkModel and come to the next element when
// their last bit has arrived, a burst when that of its first packet has. A link has one pending event, which
// is scheduled again and again; where packets may overtake each other, each packet has one.
#pragma once

#include "wan-topology/model/block-fifo.h"
#include "wan-topology/model/link-model.h"
#include "wan-topology/model/packet-ledger.h"
#include "wan-topology/model/packet-record.h"
#include "wan-topology/model/reusable-event.h"

#include <functional>
#include <queue>
#include <vector>

namespace ns3
{

/// LightLink is an element that delays, loses, marks, copies and reorders packets. Only plain links that
/// nobody observes, and whose queues hold a burst, take bursts (TakesBursts()).
class LightLink : public PacketElement
{
  public:
    /// `next`, and `ledger` where there is one, outlive the link. `site` is the one at its end
    /// (HeapSimulatorImpl).
    LightLink(const LinkModel::Settings& settings,
              PacketElement& next,
              PacketLedger* ledger = nullptr,
              std::uint32_t site = Simulator::NO_CONTEXT);
    ~LightLink() override;
    LightLink(const LightLink&) = delete;
    LightLink& operator=(const LightLink&) = delete;

    void Receive(const PacketRecord& record) override;

    const LinkModel& Model() const;
    LinkModel& Model();

    bool TakesBursts() const;

    /// A burst that takes longer than this on a link goes on as single packets: other flows' packets wait
    /// for a whole burst, and this bounds by how much. Our own choice, short beside a WAN's round trip; 64 KB
    /// take it at 2.6 Gbit/s.
    static constexpr std::int64_t s_mostSpreadNs = 200000;

    using Observer = std::function<void(const PacketRecord&, const LinkModel::Outcome&)>;

    /// Tells `observer` of each packet from now on.
    void SetObserver(Observer observer);

  private:
    struct InFlight
    {
        std::int64_t arrivalNs;
        PacketRecord record;
    };

    /// Overtaking is a packet on a link where packets may overtake each other.
    struct Overtaking
    {
        std::int64_t arrivalNs;
        std::uint64_t number; ///< in the order of the offers
        PacketRecord record;

        /// The top of a std::priority_queue is the greatest: here the earliest.
        bool operator<(const Overtaking& other) const
        {
            return arrivalNs != other.arrivalNs ? arrivalNs > other.arrivalNs
                                                : number > other.number;
        }
    };

    [[gnu::noinline]] void ReceiveBurst(std::int64_t now, const PacketRecord& burst);
    void
    LaunchBurst(std::int64_t now, std::int64_t first, std::int64_t last, const PacketRecord& burst);
    [[gnu::always_inline]] void
    Launch(std::int64_t now, std::int64_t arrival, const PacketRecord& record);
    LinkModel::Outcome Offer(std::int64_t now, const PacketRecord& record);
    void ReceiveOther(std::int64_t now, const PacketRecord& record);
    void Drop(const PacketRecord& record) const;
    void LaunchImpaired(std::int64_t now, const LinkModel::Outcome& outcome, PacketRecord record);
    void LaunchOvertaking(std::int64_t now, std::int64_t arrival, const PacketRecord& record);
    void Arrive();
    void ArriveFirst();

    using Event = ReusableEvent<LightLink, &LightLink::Arrive>;
    using OvertakingEvent = ReusableEvent<LightLink, &LightLink::ArriveFirst>;

    PacketElement& m_next;
    std::uint32_t m_site;
    std::int64_t m_lastArrivalNs = 0; ///< of the record that was launched last
    BlockFifo<InFlight> m_inFlight; ///< none overtakes
    Ptr<Event> m_event;
    bool m_awaitsArrival = false; ///< m_event is scheduled
    LinkModel m_model;
    PacketLedger* m_ledger; ///< null: nobody asks
    std::priority_queue<Overtaking> m_overtaking;
    std::uint64_t m_launched = 0;
    Ptr<OvertakingEvent> m_overtakingEvent;
    Observer m_observer; ///< mostly none
};

} // namespace ns3
