// SPDX-License-Identifier: GPL-2.0-only
// Serves trains at a rate that changes. The ends of trains are whole numbers of bytes, so that
// rounding doesn't add up.
#include "analytic/pair-queue.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace geotrain
{

namespace
{

constexpr double nothing = 1e-3; // bytes that may remain by rounding

Duration
RoundedUp(double nanoseconds)
{
    return Duration::Nanoseconds(static_cast<std::int64_t>(std::ceil(nanoseconds)));
}

/// Returns the last of `items` that was queued at `at` or before; the end if none was. Items are
/// sorted by `queued`.
template <typename Items>
auto
LastQueuedUntil(const Items& items, Instant at)
{
    const auto later =
        std::upper_bound(items.begin(),
                         items.end(),
                         at,
                         [](Instant moment, const auto& item) { return moment < item.queued; });
    return later == items.begin() ? items.end() : std::prev(later);
}

} // namespace

PairQueue::PairQueue(Listener& listener)
    : m_listener(listener)
{
}

void
PairQueue::Push(Train train)
{
    if (train.isFirst && !m_trains.Empty())
    {
        m_marks.PushBack(m_queued);
    }
    m_queued += static_cast<double>(train.bytes);
    train.queued = m_now;
    train.end = m_queued;
    if (train.isLast)
    {
        m_marks.PushBack(m_queued);
    }
    m_trains.PushBack(train);
    if (m_trains.Size() == 1)
    {
        m_servedOfFirst = 0;
        m_listener.Begins(m_trains.Front(), m_now);
    }
}

void
PairQueue::Serve(Instant now)
{
    double left = m_rate * static_cast<double>((now - m_now).ToNanoseconds());
    while (!m_trains.Empty())
    {
        const double rest = static_cast<double>(m_trains.Front().bytes) - m_servedOfFirst;
        // An end that was rounded up to a nanosecond leaves less than that nanosecond's bytes.
        if (rest > left + nothing)
        {
            m_servedOfFirst += left;
            break;
        }
        left = std::max(0.0, left - rest);
        const auto ago = static_cast<std::int64_t>(m_rate > 0 ? left / m_rate : 0);
        End(now - Duration::Nanoseconds(ago));
    }
    m_now = now;
}

void
PairQueue::End(Instant at)
{
    const Train train = m_trains.PopFront();
    m_servedOfFirst = 0;
    if (m_keepsDepartures)
    {
        m_departures.PushBack({train.queued, at});
        while (m_departures.Front().at + m_kept < at)
        {
            m_departures.PopFront();
        }
    }
    while (!m_marks.Empty() && m_marks.Front() <= train.end)
    {
        m_marks.PopFront();
    }
    m_listener.HasLeft(train, at);
    if (!m_trains.Empty())
    {
        m_listener.Begins(m_trains.Front(), at);
    }
}

void
PairQueue::SetRate(Instant now, double bytesPerNanosecond)
{
    Serve(now);
    m_rate = bytesPerNanosecond;
}

Instant
PairQueue::LeavesFirst(double bytes, Instant at) const
{
    return at +
           (m_rate > 0 ? RoundedUp(std::max(0.0, bytes - m_servedOfFirst) / m_rate) : Duration());
}

Instant
PairQueue::NextMark() const
{
    if (m_trains.Empty())
    {
        return Instant::Never();
    }
    return After((m_marks.Empty() ? m_queued : m_marks.Front()) - Served());
}

Duration
PairQueue::Wait() const
{
    return m_trains.Empty() || !(m_rate > 0) ? Duration() : After(m_queued - Served()) - m_now;
}

/// Returns the bytes that have left since the start.
double
PairQueue::Served() const
{
    const Train& first = m_trains.Front();
    return first.end - static_cast<double>(first.bytes) + m_servedOfFirst;
}

Instant
PairQueue::After(double bytes) const
{
    return m_now + (m_rate > 0 ? RoundedUp(std::max(0.0, bytes) / m_rate) : Duration());
}

Instant
PairQueue::LeavesAfter(Instant queued) const
{
    if (!m_trains.Empty() && m_trains.Front().queued <= queued)
    {
        const bool isBehindAll = m_trains.Back().queued <= queued;
        const double end = isBehindAll ? m_queued : LastQueuedUntil(m_trains, queued)->end;
        return std::max(queued, After(end - Served()));
    }
    if (m_departures.Empty() || m_departures.Back().at <= queued)
    {
        return queued;
    }
    const auto ahead = LastQueuedUntil(m_departures, queued);
    return ahead == m_departures.end() ? queued : std::max(queued, ahead->at);
}

} // namespace geotrain
