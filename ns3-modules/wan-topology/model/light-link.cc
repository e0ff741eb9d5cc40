// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/light-link.h"

#include <utility>

namespace ns3
{

LightLink::LightLink(const LinkModel::Settings& settings,
                     PacketElement& next,
                     PacketLedger* ledger)
    : m_model(settings),
      m_next(next),
      m_ledger(ledger),
      m_event(Create<Event>(this)),
      m_overtakingEvent(Create<OvertakingEvent>(this))
{
}

LightLink::~LightLink()
{
    m_event->Detach();
    m_overtakingEvent->Detach();
}

void
LightLink::Receive(const PacketRecord& record)
{
    const std::int64_t now = NowNs();
    const LinkModel::Outcome outcome =
        m_model.Offer(geotrain::Instant::FromNanoseconds(now),
                      geotrain::Bytes::Of(record.wireSize),
                      (record.flags & PacketRecord::EctCapable) != 0);
    if (m_observer)
    {
        m_observer(record, outcome);
    }
    if (outcome.verdict != LinkModel::Verdict::Accepted)
    {
        if (m_ledger)
        {
            m_ledger->Dropped(record);
        }
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
LightLink::Launch(std::int64_t now, std::int64_t arrival, const PacketRecord& record)
{
    if (m_inFlight.empty())
    {
        m_event->ScheduleIn(arrival - now);
    }
    m_inFlight.emplace_back(arrival, record);
}

void
LightLink::Arrive()
{
    const auto [arrivalNs, record] = m_inFlight.front();
    m_inFlight.pop_front();
    FetchAhead(m_inFlight);
    if (!m_inFlight.empty())
    {
        m_event->ScheduleIn(m_inFlight.front().arrivalNs - arrivalNs);
    }
    m_next.Receive(record);
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
    m_next.Receive(record);
}

void
LightLink::SetObserver(Observer observer)
{
    m_observer = std::move(observer);
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
