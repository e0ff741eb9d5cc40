// SPDX-License-Identifier: GPL-2.0-only
// Defines an ns-3 event that is allocated once and scheduled again and again. It is never
// cancelled: its owner ignores a call that comes too early.
#pragma once

#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/ptr.h>
#include <ns3/simulator.h>

#include <cstdint>
#include <functional>

namespace ns3
{

/// Returns the time of ns-3's own event loop.
std::int64_t NowNsOfOther();

/// Schedules `event` in ns-3's own event loop.
void ScheduleInOther(std::int64_t delayNs, LightEvent* event);

/// Returns the simulated time in nanoseconds.
inline std::int64_t
NowNs()
{
    const HeapSimulatorImpl* heap = HeapSimulatorImpl::InUse();
    return heap ? heap->NowNs() : NowNsOfOther();
}

/// Lets the event at hand be of `site` from now on. ns-3's own event loop knows no sites.
inline void
EnterSite(std::uint32_t site)
{
    if (HeapSimulatorImpl* heap = HeapSimulatorImpl::InUse())
    {
        heap->EnterSite(site);
    }
}

/// AtSite lets what is scheduled in its scope be of a site, whoever asked for it.
class AtSite
{
  public:
    explicit AtSite(std::uint32_t site)
        : m_before(Simulator::GetContext())
    {
        EnterSite(site);
    }

    ~AtSite()
    {
        EnterSite(m_before);
    }

    AtSite(const AtSite&) = delete;
    AtSite& operator=(const AtSite&) = delete;

  private:
    std::uint32_t m_before;
};

/// A ReusableEvent calls `method` of its owner, which outlives the event or detaches it.
template <typename Owner, void (Owner::*method)()>
class ReusableEvent : public LightEvent
{
  public:
    explicit ReusableEvent(Owner* owner)
        : m_owner(owner)
    {
    }

    void Detach()
    {
        m_owner = nullptr;
    }

    void ScheduleIn(std::int64_t delayNs)
    {
        // It gets no EventId, which nobody would use. The event list takes over a reference.
        Ref();
        if (HeapSimulatorImpl* heap = HeapSimulatorImpl::InUse())
        {
            heap->ScheduleIn(delayNs, this);
            return;
        }
        ScheduleInOther(delayNs, this);
    }

  protected:
    void Notify() override
    {
        if (m_owner)
        {
            (m_owner->*method)();
        }
    }

  private:
    Owner* m_owner;
};

/// A LazyTimer costs an event only when it would fire: moving the deadline later schedules nothing.
class LazyTimer
{
  public:
    explicit LazyTimer(std::function<void()> expired);
    ~LazyTimer();
    LazyTimer(const LazyTimer&) = delete;
    LazyTimer& operator=(const LazyTimer&) = delete;

    static constexpr std::int64_t s_never = INT64_MAX;

    void Set(std::int64_t deadlineNs)
    {
        m_deadlineNs = deadlineNs;
        if (m_deadlineNs < m_pendingNs)
        {
            Await();
        }
    }

    void Stop()
    {
        m_deadlineNs = s_never;
    }

    bool IsSet() const
    {
        return m_deadlineNs != s_never;
    }

    /// Returns the deadline; s_never when it is not set.
    std::int64_t DeadlineNs() const
    {
        return m_deadlineNs;
    }

  private:
    void Fire();
    void Await();

    using Event = ReusableEvent<LazyTimer, &LazyTimer::Fire>;

    std::function<void()> m_expired;
    Ptr<Event> m_event;
    std::int64_t m_deadlineNs = s_never;
    std::int64_t m_pendingNs = s_never; ///< time of the earliest event that is scheduled
};

} // namespace ns3
