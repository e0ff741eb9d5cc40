// SPDX-License-Identifier: GPL-2.0-only
#include "execution/collective-queue.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

CollectiveQueue::CollectiveQueue(const LinkedPlan& plan,
                                 WorkerIndex worker,
                                 Lane lane,
                                 const Carrier& carrier,
                                 Callback callback)
    : m_plan(plan),
      m_contention(plan.Plan().contention),
      m_worker(worker),
      m_handsOver(lane != Lane::Collective),
      m_carrier(carrier),
      m_callback(std::move(callback))
{
}

void
CollectiveQueue::Join(std::size_t position, std::uint32_t pass)
{
    m_joined.push_back({position, pass, m_carrier.clock.Now()});
    StartNext();
}

void
CollectiveQueue::StartNext()
{
    const bool isHeld = m_contention.isNonPreemptive && m_isComputing && !m_handsOver;
    while (m_running < m_joined.size() && (m_handsOver || (m_running == 0 && !isHeld)))
    {
        Joined& next = m_joined[m_running++];
        m_lost = Duration();
        m_counted = m_carrier.clock.Now();
        next.handle = m_carrier.collectives.Join(
            m_plan.CollectiveAt(m_worker, next.position, next.pass),
            m_plan.MemberAt(m_worker, next.position),
            [this](Instant at, const std::string& failure) { OnEnded(at, failure); });
    }
}

void
CollectiveQueue::SetComputing(bool isComputing)
{
    CountLoss();
    m_isComputing = isComputing;
    if (m_makesUp)
    {
        MakeUp();
    }
    else if (!isComputing && m_contention.isNonPreemptive)
    {
        StartNext();
    }
}

/// Counts what the running collective has lost, or made up for, since the last count.
void
CollectiveQueue::CountLoss()
{
    const Instant now = m_carrier.clock.Now();
    const Duration passed = now - m_counted;
    m_counted = now;
    if (m_running > 0 && m_isComputing)
    {
        m_lost = m_lost + Duration::Seconds(m_contention.interference * passed.ToSeconds());
    }
    if (m_makesUp)
    {
        m_lost = m_lost - passed;
    }
}

void
CollectiveQueue::OnEnded(Instant at, const std::string& failure)
{
    CountLoss();
    if (m_handsOver || !failure.empty() || !(m_lost > Duration()))
    {
        const Joined ended = m_joined.front();
        m_joined.pop_front();
        --m_running;
        m_callback(ended, at, failure);
        return;
    }
    m_makesUp = true;
    MakeUp();
}

/// Ends the running collective when its loss is made up for, if nothing changes until then.
void
CollectiveQueue::MakeUp()
{
    Clock& clock = m_carrier.clock;
    clock.Cancel(m_madeUp);
    const double rate = m_isComputing ? 1 - m_contention.interference : 1;
    const Duration left = std::max(Duration(), Duration::Seconds(m_lost.ToSeconds() / rate));
    m_madeUp = clock.Schedule(clock.Now() + left,
                              [this]
                              {
                                  m_makesUp = false;
                                  m_lost = Duration();
                                  m_counted = m_carrier.clock.Now();
                                  OnEnded(m_counted, {});
                              });
}

void
CollectiveQueue::Cancel()
{
    if (std::exchange(m_makesUp, false))
    {
        m_carrier.clock.Cancel(m_madeUp);
    }
    const std::deque<Joined> joined = std::exchange(m_joined, {});
    for (std::size_t running = std::exchange(m_running, 0); running > 0; --running)
    {
        m_carrier.collectives.Cancel(joined[running - 1].handle);
    }
    m_isComputing = false;
}

bool
CollectiveQueue::IsEmpty() const
{
    return m_joined.empty();
}

std::size_t
CollectiveQueue::Size() const
{
    return m_joined.size();
}

} // namespace geotrain
