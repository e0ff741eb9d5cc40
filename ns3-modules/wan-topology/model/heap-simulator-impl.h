// SPDX-License-Identifier: GPL-2.0-only
// Implements ns-3's event loop with less work per event than DefaultSimulatorImpl. Simultaneous
// events happen by the site that scheduled them, and those of one site in the order in which it
// scheduled them. So they happen in the same order however the events of different sites mix, which
// ns-3's own loop does not promise. The events lie in a binary heap by value. There is no Scheduler
// object, no lock for other threads (one thread schedules) and no EventId for a light event.
#pragma once

#include <ns3/event-id.h>
#include <ns3/event-impl.h>
#include <ns3/simulator-impl.h>
#include <ns3/simulator.h>

#include <cstdint>
#include <functional>
#include <list>
#include <vector>

namespace ns3
{

/// A LightEvent is an event that is never cancelled.
class LightEvent : public EventImpl
{
  public:
    void Call()
    {
        Notify();
    }
};

/// A site is ns-3's context, by another name: a node or a router, or Simulator::NO_CONTEXT, which
/// comes first. What an event schedules is of its own site; what is scheduled outside of Run() is of
/// none. A packet that arrives takes its event to the site where it arrives.
///
/// HeapSimulatorImpl is chosen when its TypeId, "geotrain::HeapSimulatorImpl", is the global value
/// SimulatorImplementationType. UseHeapSimulator() sets it.
class HeapSimulatorImpl : public SimulatorImpl
{
  public:
    static TypeId GetTypeId();
    HeapSimulatorImpl();
    ~HeapSimulatorImpl() override;

    /// Returns the instance that the Simulator uses; null if it uses another implementation or none
    /// yet.
    static HeapSimulatorImpl* InUse()
    {
        return s_inUse;
    }

    std::int64_t NowNs() const
    {
        return m_nowNs;
    }

    /// Schedules an event without EventId. Takes over a reference of `event`.
    void ScheduleIn(std::int64_t delayNs, LightEvent* event)
    {
        Insert(delayNs, s_light, event);
    }

    /// Makes `site`, a number below s_sites or Simulator::NO_CONTEXT, the one that schedules from
    /// now on, until the event at hand ends.
    void EnterSite(std::uint32_t site)
    {
        m_site = std::uint64_t{site + 1} << s_siteShift;
    }

    static constexpr std::uint32_t s_sites = (1U << 20) - 1;

    /// Runs the events up to `timeNs`, its own among them, and makes it the present time. It serves
    /// whoever leads the simulated time by another clock. `timeNs` is not in the past. Returns false
    /// where Stop() or the watch ended it before.
    bool RunUntil(std::int64_t timeNs);

    /// Returns the time of the next event, outside of Run(); INT64_MAX where there is none.
    std::int64_t NextEventNs();

    /// Asks `watch` after every 1,024 events, and ends Run() where it holds. It must have no effect
    /// on the simulation. An empty one is never asked.
    void SetWatch(std::function<bool()> watch);

    /// Returns whether the watch ended the last Run().
    bool WasEndedByWatch() const
    {
        return m_isEndedByWatch;
    }

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    void Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override; ///< ignored
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  protected:
    void DoDispose() override;

    /// Asks the watch. Where it holds, WasEndedByWatch() does from now on.
    void AskWatch();

  private:
    static constexpr int s_siteShift = 44;
    static constexpr std::uint64_t s_light = 1; ///< in a key: the event is a LightEvent

    struct Entry
    {
        std::int64_t timeNs;
        /// From above: 20 bits of the site, counted from 1, since NO_CONTEXT is 0; 43 bits of the order of
        /// scheduling, which is each site's own too; one bit of s_light.
        std::uint64_t key;
        EventImpl* event;

        bool Before(const Entry& other) const
        {
            return timeNs == other.timeNs ? key < other.key : timeNs < other.timeNs;
        }
    };

    class InContext;

    void Insert(std::int64_t delayNs, std::uint64_t kind, EventImpl* event);
    std::size_t Find(const EventId& id) const;
    void RunFirst();
    void FillRoot();
    void MoveLastTo(std::size_t hole);
    void SiftDown(std::size_t hole, Entry entry);
    void SiftUp(std::size_t hole, Entry entry);
    bool IsEmpty() const;

    static HeapSimulatorImpl* s_inUse;

    /// A binary heap: m_size entries, and one more place.
    std::vector<Entry> m_heap = std::vector<Entry>(1);
    std::size_t m_size = 0;
    bool m_rootVacant =
        false; ///< m_heap[0] is the event being run: the next event scheduled takes its place
    std::int64_t m_nowNs = 0;
    std::uint64_t m_site = 0;      ///< of the event at hand, as in a key
    std::uint64_t m_scheduled = 0; ///< events, each of which counts 2, as in a key
    std::uint64_t m_eventCount = 0;
    bool m_stop = false;
    std::function<bool()> m_watch;
    bool m_isEndedByWatch = false;
    std::list<EventId> m_destroyEvents;
};

/// Makes the Simulator use HeapSimulatorImpl from its next start on, unless an implementation other
/// than ns-3's default was chosen.
void UseHeapSimulator();

} // namespace ns3
