// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/worker-reservations.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

WorkerReservations::WorkerReservations(Clock& clock, std::function<void()> due)
    : m_clock(clock),
      m_due(std::move(due))
{
}

const Reservation*
WorkerReservations::First() const
{
    return m_reserved.empty() ? nullptr : &m_reserved.front();
}

void
WorkerReservations::RemoveFirst()
{
    m_reserved.pop_front();
}

void
WorkerReservations::Insert(const Reservation& reservation)
{
    const auto behind = std::upper_bound(m_reserved.begin(),
                                         m_reserved.end(),
                                         reservation.start,
                                         [](Instant start, const Reservation& other)
                                         { return start < other.start; });
    m_reserved.insert(behind, reservation);
}

void
WorkerReservations::AwaitFirst()
{
    if (m_reserved.empty() || m_awaited == m_reserved.front().start)
    {
        return;
    }
    if (m_awaited)
    {
        m_clock.Cancel(m_alarm);
    }
    m_awaited = m_reserved.front().start;
    m_alarm = m_clock.Schedule(std::max(*m_awaited, m_clock.Now()),
                               [this]
                               {
                                   m_awaited.reset();
                                   m_due();
                               });
}

} // namespace geotrain
