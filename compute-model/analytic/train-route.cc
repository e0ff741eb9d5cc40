// SPDX-License-Identifier: GPL-2.0-only
// A train waits for its turn before each queue in a ring of that hop.
#include "analytic/train-route.h"

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

Passage
Later(const Passage& passage, Duration delay)
{
    return {passage.first + delay, passage.last + delay};
}

} // namespace

TrainRoute::TrainRoute(const std::vector<AnalyticPath::Hop>& hops,
                       Duration delay,
                       const LinkQueueOf& queueOf,
                       std::optional<int> rank)
    : m_rank(rank),
      m_lastDelay(delay)
{
    for (const AnalyticPath::Hop& hop : hops)
    {
        m_hops.push_back({&queueOf(hop.link), hop.delay, {}, {}});
        m_lastDelay = m_lastDelay - hop.delay;
    }
}

void
TrainRoute::KeepTrains(Duration roundTrip)
{
    Duration longest = roundTrip;
    for (const Hop& hop : m_hops)
    {
        longest += hop.queue->LongestWait();
    }
    for (const Hop& hop : m_hops)
    {
        hop.queue->KeepFor(longest * 2);
    }
}

void
TrainRoute::Push(const Train& train, const Passage& passage)
{
    if (m_hops.empty())
    {
        m_arrivals.PushBack({train, Later(passage, m_lastDelay)});
        return;
    }
    m_hops.front().trains.PushBack({train, Later(passage, m_hops.front().delay)});
}

void
TrainRoute::Advance(Instant now)
{
    for (std::size_t index = 0; index < m_hops.size(); ++index)
    {
        Hop& hop = m_hops[index];
        while (!hop.trains.Empty() && hop.trains.Front().passage.last <= now)
        {
            OnTheWay next = hop.trains.PopFront();
            const auto out = hop.queue->Enter(next.passage, next.train.bytes, m_rank.value_or(0));
            next.train.Lose(out.lost, out.endsLost);
            next.passage = out.passage;
            if (m_rank)
            {
                hop.leaving.PushBack({next, hop.queue->WorkAbove(*m_rank)});
            }
            else
            {
                PassOn(index, next);
            }
        }
        Leave(index, now);
    }
}

/// Sends a train that has left a hop's queue on to what is behind it.
void
TrainRoute::PassOn(std::size_t hop, OnTheWay train)
{
    const bool isLast = hop + 1 == m_hops.size();
    train.passage = Later(train.passage, isLast ? m_lastDelay : m_hops[hop + 1].delay);
    (isLast ? m_arrivals : m_hops[hop + 1].trains).PushBack(train);
}

/// Lets the trains leave a hop's queue whose time has come, but not before those that went first.
void
TrainRoute::Leave(std::size_t index, Instant now)
{
    Hop& hop = m_hops[index];
    while (!hop.leaving.Empty() && hop.leaving.Front().train.passage.last <= now)
    {
        Leaving& first = hop.leaving.Front();
        const double above = hop.queue->WorkAbove(*m_rank);
        const auto wait = Duration::Nanoseconds(std::llround(above - first.above));
        if (wait > Duration())
        {
            first.train.passage = Later(first.train.passage, wait);
            first.above = above;
            continue;
        }
        PassOn(index, hop.leaving.PopFront().train);
    }
}

Instant
TrainRoute::Next() const
{
    Instant next = Instant::Never();
    for (const Hop& hop : m_hops)
    {
        if (!hop.trains.Empty())
        {
            next = std::min(next, hop.trains.Front().passage.last);
        }
        if (!hop.leaving.Empty())
        {
            next = std::min(next, hop.leaving.Front().train.passage.last);
        }
    }
    return next;
}

Instant
TrainRoute::Arrives(Instant at) const
{
    for (const Hop& hop : m_hops)
    {
        at = hop.queue->LeavesAfter(at + hop.delay, m_rank.value_or(0));
    }
    return at + m_lastDelay;
}

} // namespace geotrain
