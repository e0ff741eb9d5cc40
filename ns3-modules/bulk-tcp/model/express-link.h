// SPDX-License-Identifier: GPL-2.0-only
// One direction of a link of the express bearer: packet records pass a LinkModel and come to the
// next element when their last bit has arrived. One pending event a link, which is scheduled again
// and again; where packets may overtake each other, one a packet.
#pragma once

#include "bulk-tcp/model/packet-record.h"
#include "bulk-tcp/model/reusable-event.h"
#include "wan-topology/model/link-model.h"

#include <boost/container/deque.hpp>

#include <queue>
#include <vector>

namespace ns3
{

/// A FIFO in blocks that are given back: its memory is what it holds.
template <typename T>
using BlockDeque = boost::container::deque<
    T,
    void,
    typename boost::container::deque_options<boost::container::block_size<256>>::type>;

/// Begins to fetch what the next call but one will read when this one has come to `position`: a
/// window beyond the caches costs little more then.
template <typename T>
void
FetchAhead(const BlockDeque<T>& queue, std::size_t position = 0)
{
    constexpr std::size_t ahead = 2;
    constexpr std::size_t cacheLine = 64; // bytes
    if (position + ahead < queue.size())
    {
        const auto* bytes = reinterpret_cast<const char*>(&queue[position + ahead]);
        __builtin_prefetch(bytes);
        __builtin_prefetch(bytes + cacheLine);
    }
}

class ExpressLink : public PacketElement
{
  public:
    /// `next` outlives the link.
    ExpressLink(const LinkModel::Settings& settings, PacketElement& next);
    ~ExpressLink() override;
    ExpressLink(const ExpressLink&) = delete;
    ExpressLink& operator=(const ExpressLink&) = delete;

    void Receive(const PacketRecord& record) override;

    const LinkModel& Model() const;
    LinkModel& Model();

  private:
    struct InFlight
    {
        InFlight(std::int64_t at, const PacketRecord& packet)
            : arrivalNs(at),
              record(packet)
        {
        }

        std::int64_t arrivalNs;
        PacketRecord record;
    };

    /// One of packets that may overtake each other.
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

    void Launch(std::int64_t now, std::int64_t arrival, const PacketRecord& record);
    void LaunchImpaired(std::int64_t now, const LinkModel::Outcome& outcome, PacketRecord record);
    void LaunchOvertaking(std::int64_t now, std::int64_t arrival, const PacketRecord& record);
    void Arrive();
    void ArriveFirst();

    using Event = ReusableEvent<ExpressLink, &ExpressLink::Arrive>;
    using OvertakingEvent = ReusableEvent<ExpressLink, &ExpressLink::ArriveFirst>;

    LinkModel m_model;
    PacketElement& m_next;
    BlockDeque<InFlight> m_inFlight; ///< none overtakes
    Ptr<Event> m_event;
    std::priority_queue<Overtaking> m_overtaking;
    std::uint64_t m_launched = 0;
    Ptr<OvertakingEvent> m_overtakingEvent;
};

} // namespace ns3
