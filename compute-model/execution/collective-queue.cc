// SPDX-License-Identifier: GPL-2.0-only
#include "execution/collective-queue.h"

#include <utility>

namespace geotrain
{

CollectiveQueue::CollectiveQueue(const LinkedPlan& plan,
                                 WorkerIndex worker,
                                 MessageLayer& layer,
                                 Callback callback)
    : m_plan(plan),
      m_worker(worker),
      m_layer(layer),
      m_callback(std::move(callback))
{
}

void
CollectiveQueue::Join(std::size_t position, std::uint32_t pass)
{
    m_joined.push_back({position, pass, m_layer.GetClock().Now()});
    StartNext();
}

void
CollectiveQueue::StartNext()
{
    if (m_runs || m_joined.empty())
    {
        return;
    }
    m_runs = true;
    const Joined& first = m_joined.front();
    m_running =
        m_layer.Join(m_plan.CollectiveAt(m_worker, first.position, first.pass),
                     m_plan.MemberAt(m_worker, first.position),
                     [this](Instant at, const std::string& failure) { OnEnded(at, failure); });
}

void
CollectiveQueue::OnEnded(Instant at, const std::string& failure)
{
    const Joined ended = m_joined.front();
    m_joined.pop_front();
    m_runs = false;
    m_callback(ended, at, failure);
}

void
CollectiveQueue::Cancel()
{
    m_joined.clear();
    if (std::exchange(m_runs, false))
    {
        m_layer.Cancel(m_running);
    }
}

bool
CollectiveQueue::IsEmpty() const
{
    return m_joined.empty();
}

} // namespace geotrain
