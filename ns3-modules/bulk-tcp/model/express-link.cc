#include "bulk-tcp/model/express-link.h"

namespace ns3
{

ExpressLink::ExpressLink(const LinkModel::Settings& settings, PacketElement& next)
    : m_model(settings),
      m_next(next),
      m_event(Create<Event>(this))
{
}

ExpressLink::~ExpressLink()
{
    m_event->Detach();
}

void
ExpressLink::Receive(const PacketRecord& record)
{
    const std::int64_t now = NowNs();
    const LinkModel::Outcome outcome =
        m_model.Offer(geotrain::Instant::FromNanoseconds(now),
                      geotrain::Bytes::Of(record.wireSize));
    if (outcome.verdict != LinkModel::Verdict::Accepted)
    {
        return;
    }
    const std::int64_t arrival = outcome.arrival.ToNanoseconds();
    if (m_inFlight.empty())
    {
        m_event->ScheduleIn(arrival - now);
    }
    m_inFlight.push_back({arrival, record});
}

void
ExpressLink::Arrive()
{
    const auto [arrivalNs, record] = m_inFlight.front();
    m_inFlight.pop_front();
    if (!m_inFlight.empty())
    {
        m_event->ScheduleIn(m_inFlight.front().arrivalNs - arrivalNs);
    }
    m_next.Receive(record);
}

const LinkModel&
ExpressLink::Model() const
{
    return m_model;
}

} // namespace ns3
