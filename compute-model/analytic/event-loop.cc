#include "analytic/event-loop.h"

#include <stdexcept>
#include <utility>

namespace geotrain
{

Instant
EventLoop::Now() const
{
    return m_now;
}

Clock::EventNumber
EventLoop::Schedule(Instant at, Callback callback)
{
    if (at < m_now)
    {
        throw std::invalid_argument("an event cannot be scheduled in the past");
    }
    m_events.push({at, ++m_lastNumber, std::move(callback)});
    return m_lastNumber;
}

void
EventLoop::Cancel(EventNumber event)
{
    m_cancelled.insert(event);
}

void
EventLoop::Run(Instant deadline)
{
    m_stopped = false;
    while (!m_stopped && !m_events.empty() && m_events.top().at <= deadline)
    {
        // The queue hands out const references only; the callback is moved out just before the pop.
        Event event = std::move(const_cast<Event&>(m_events.top()));
        m_events.pop();
        if (m_cancelled.erase(event.number) == 0)
        {
            m_now = event.at;
            event.callback();
        }
    }
}

void
EventLoop::Stop()
{
    m_stopped = true;
}

} // namespace geotrain
