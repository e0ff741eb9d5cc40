// SPDX-License-Identifier: GPL-2.0-only
// A train waits for its turn before each queue in a ring of that hop.
#include "analytic/train-route.h"

#include <algorithm>

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
                       const LinkQueueOf& queueOf)
    : m_lastDelay(delay)
{
    for (const AnalyticPath::Hop& hop : hops)
    {
        m_hops.push_back({&queueOf(hop.link), hop.delay, {}});
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
            const auto out = hop.queue->Enter(next.passage, next.train.bytes);
            next.train.Lose(out.lost, out.endsLost);
            const bool isLast = index + 1 == m_hops.size();
            next.passage = Later(out.passage, isLast ? m_lastDelay : m_hops[index + 1].delay);
            (isLast ? m_arrivals : m_hops[index + 1].trains).PushBack(next);
        }
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
    }
    return next;
}

Instant
TrainRoute::Arrives(Instant at) const
{
    for (const Hop& hop : m_hops)
    {
        at = hop.queue->LeavesAfter(at + hop.delay);
    }
    return at + m_lastDelay;
}

} // namespace geotrain
