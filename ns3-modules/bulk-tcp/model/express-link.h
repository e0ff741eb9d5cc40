// One direction of a link of the express bearer: packet records pass a LinkModel and come to the next element when their
// last bit has arrived. One pending event a link, which is scheduled again and again.
#pragma once

#include "bulk-tcp/model/packet-record.h"
#include "bulk-tcp/model/reusable-event.h"
#include "wan-topology/model/link-model.h"

#include <boost/container/deque.hpp>

namespace ns3
{

/// A FIFO in blocks that are given back: its memory is what it holds.
template <typename T>
using BlockDeque = boost::container::
    deque<T, void, typename boost::container::deque_options<boost::container::block_size<256>>::type>;

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

  private:
    struct InFlight
    {
        std::int64_t arrivalNs;
        PacketRecord record;
    };

    void Arrive();

    using Event = ReusableEvent<ExpressLink, &ExpressLink::Arrive>;

    LinkModel m_model;
    PacketElement& m_next;
    BlockDeque<InFlight> m_inFlight;
    Ptr<Event> m_event;
};

} // namespace ns3
