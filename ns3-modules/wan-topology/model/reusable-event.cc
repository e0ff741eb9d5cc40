// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/reusable-event.h"

#include <algorithm>
#include <utility>

namespace ns3
{

std::int64_t
NowNsOfOther()
{
    return Simulator::Now().GetTimeStep();
}

void
ScheduleInOther(std::int64_t delayNs, LightEvent* event)
{
    Simulator::ScheduleWithContext(
        Simulator::NO_CONTEXT, TimeStep(static_cast<std::uint64_t>(delayNs)), event);
}

LazyTimer::LazyTimer(std::function<void()> expired)
    : m_expired(std::move(expired)),
      m_event(Create<Event>(this))
{
}

LazyTimer::~LazyTimer()
{
    m_event->Detach();
}

void
LazyTimer::Await()
{
    const std::int64_t now = NowNs();
    m_pendingNs = std::max(m_deadlineNs, now);
    m_event->ScheduleIn(m_pendingNs - now);
}

void
LazyTimer::Fire()
{
    const std::int64_t now = NowNs();
    if (now < m_pendingNs)
    {
        return; // an earlier deadline was set meanwhile, and its event has come and gone
    }
    m_pendingNs = s_never;
    if (m_deadlineNs == s_never)
    {
        return;
    }
    if (now < m_deadlineNs)
    {
        Await();
        return;
    }
    m_deadlineNs = s_never;
    m_expired();
}

} // namespace ns3
