// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-link.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LightLink::LightLink(const LinkModel::Settings& settings,
                     PacketElement& next,
                     PacketLedger* ledger,
                     std::uint32_t site)
    : m_next(next),
      m_site(site),
      m_event(Create<Event>(this)),
      m_model(settings),
      m_ledger(ledger),
      m_overtakingEvent(Create<OvertakingEvent>(this))
{
}

LightLink::~LightLink()
{
    m_event->Detach();
    m_overtakingEvent->Detach();
}

inline LinkModel::Outcome
LightLink::Offer(std::int64_t now, const PacketRecord& record)
{
    return m_model.Offer(geotrain::Instant::FromNanoseconds(now),
                         geotrain::Bytes::Of(record.wireSize),
                         (record.flags & PacketRecord::EctCapable) != 0);
}

inline void
LightLink::Launch(std::int64_t now, std::int64_t arrival, const PacketRecord& record)
{
    // A packet does not overtake the last ones of a burst that went on one by one.
    m_lastArrivalNs = std::max(m_lastArrivalNs, arrival);
    if (!m_awaitsArrival)
    {
        m_awaitsArrival = true;
        m_event->ScheduleIn(m_lastArrivalNs - now);
    }
    InFlight& last = m_inFlight.AddBack();
    last.arrivalNs = m_lastArrivalNs;
    last.record = record;
}

void
LightLink::Receive(const PacketRecord& record)
{
    const std::int64_t now = NowNs();
    if (!m_model.IsPlain() || m_observer)
    {
        ReceiveOther(now, record);
        return;
    }
    if (record.Packets() > 1)
    {
        ReceiveBurst(now, record);
        return;
    }
    const LinkModel::Outcome outcome = Offer(now, record);
    if (outcome.verdict == LinkModel::Verdict::Accepted)
    {
        Launch(now, outcome.arrival.ToNanoseconds(), record);
    }
    else
    {
        Drop(record);
    }
}

void
LightLink::ReceiveBurst(std::int64_t now, const PacketRecord& burst)
{
    const LinkModel::Burst offer{geotrain::Bytes::Of(burst.wireSize),
                                 burst.Packets(),
                                 geotrain::Duration::Nanoseconds(burst.spreadNs)};
    m_model.OfferBurst(geotrain::Instant::FromNanoseconds(now),
                       offer,
                       [&](const LinkModel::Piece& piece)
                       {
                           if (piece.isAccepted)
                           {
                               LaunchBurst(now,
                                           piece.firstArrival.ToNanoseconds(),
                                           piece.lastArrival.ToNanoseconds(),
                                           burst.Part(piece.first, piece.count));
                           }
                           for (std::uint32_t i = 0; i < piece.count && !piece.isAccepted; ++i)
                           {
                               Drop(burst.Part(piece.first + i, 1));
                           }
                       });
}

/// Launches a burst, or one packet, that arrives from `first` to `last`.
void
LightLink::LaunchBurst(std::int64_t now,
                       std::int64_t first,
                       std::int64_t last,
                       const PacketRecord& burst)
{
    const std::uint32_t packets = burst.Packets();
    const std::int64_t spread = last - first;
    if (packets == 1 || spread <= s_mostSpreadNs)
    {
        PacketRecord whole = burst;
        whole.spreadNs = static_cast<std::uint32_t>(spread);
        Launch(now, first, whole);
        return;
    }
    for (std::uint32_t i = 0; i < packets; ++i)
    {
        Launch(now, first + spread * i / (packets - 1), burst.Part(i, 1));
    }
}

/// Does what Receive() does quickly, for all links and single packets.
void
LightLink::ReceiveOther(std::int64_t now, const PacketRecord& record)
{
    const LinkModel::Outcome outcome = Offer(now, record);
    if (m_observer)
    {
        m_observer(record, outcome);
    }
    if (outcome.verdict != LinkModel::Verdict::Accepted)
    {
        Drop(record);
        return;
    }
    if (m_model.IsImpaired())
    {
        LaunchImpaired(now, outcome, record);
        return;
    }
    Launch(now, outcome.arrival.ToNanoseconds(), record);
}

void
LightLink::Drop(const PacketRecord& record) const
{
    if (m_ledger)
    {
        m_ledger->Dropped(record);
    }
}

void
LightLink::LaunchImpaired(std::int64_t now, const LinkModel::Outcome& outcome, PacketRecord record)
{
    if (outcome.marked)
    {
        record.flags |= PacketRecord::CongestionExperienced;
    }
    const auto launch = m_model.MayReorder() ? &LightLink::LaunchOvertaking : &LightLink::Launch;
    (this->*launch)(now, outcome.arrival.ToNanoseconds(), record);
    if (outcome.duplicated)
    {
        if (m_ledger)
        {
            m_ledger->Copied(record);
        }
        (this->*launch)(now, outcome.copyArrival.ToNanoseconds(), record);
    }
}

void
LightLink::Arrive()
{
    const InFlight& first = m_inFlight.Front();
    const InFlight* second = m_inFlight.Second();
    m_awaitsArrival = second != nullptr;
    if (second)
    {
        m_event->ScheduleIn(second->arrivalNs - first.arrivalNs);
    }
    EnterSite(m_site);
    m_next.Receive(first.record);
    m_inFlight.PopFront();
}

void
LightLink::LaunchOvertaking(std::int64_t now, std::int64_t arrival, const PacketRecord& record)
{
    m_overtaking.push({arrival, m_launched++, record});
    m_overtakingEvent->ScheduleIn(arrival - now);
}

void
LightLink::ArriveFirst()
{
    const PacketRecord record = m_overtaking.top().record;
    m_overtaking.pop();
    EnterSite(m_site);
    m_next.Receive(record);
}

void
LightLink::SetObserver(Observer observer)
{
    m_observer = std::move(observer);
}

bool
LightLink::TakesBursts() const
{
    // Segmentation offload's longest burst: 64 KB, of packets of 1,460 bytes. A shorter queue drops of a
    // burst in a row what it takes of one whose packets have gaps.
    constexpr auto bytes = geotrain::Bytes::Of(65536);
    constexpr std::int64_t packets = 45;
    const QueueLimit& queue = m_model.GetSettings().queue;
    return m_model.IsPlain() && !m_observer && !(queue.bytes < bytes) && queue.packets >= packets;
}

const LinkModel&
LightLink::Model() const
{
    return m_model;
}

LinkModel&
LightLink::Model()
{
    return m_model;
}

} // namespace ns3
