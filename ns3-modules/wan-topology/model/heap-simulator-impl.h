// SPDX-License-Identifier: GPL-2.0-only
// Implements ns-3's event loop with less work per event than DefaultSimulatorImpl, and in the same
// order: by time, then by when events were scheduled. The events lie in a binary heap by value.
// There is no Scheduler object, no lock for other threads (one thread schedules) and no EventId for
// a light event. A run with ns-3's own loop gives the same results.
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

    /// Schedules an event without EventId and context. Takes over a reference of `event`.
    void ScheduleIn(std::int64_t delayNs, LightEvent* event)
    {
        Insert(delayNs, s_light, event);
    }

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
    static constexpr std::uint32_t s_light = UINT32_MAX - 1; ///< no node's number
    static_assert(s_light != Simulator::NO_CONTEXT);

    struct Entry
    {
        std::int64_t timeNs;
        /// Order of scheduling, compared by difference, since it wraps; below that the context: s_light
        /// for a LightEvent, which has none.
        std::uint64_t uidAndContext;
        EventImpl* event;

        std::uint32_t Uid() const
        {
            return static_cast<std::uint32_t>(uidAndContext >> 32);
        }

        bool Before(const Entry& other) const
        {
            if (timeNs == other.timeNs)
            {
                return static_cast<std::int64_t>(uidAndContext - other.uidAndContext) < 0;
            }
            return timeNs < other.timeNs;
        }
    };

    /// Returns the uid.
    std::uint32_t Insert(std::int64_t delayNs, std::uint32_t context, EventImpl* event);
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
    std::uint32_t m_nextUid;
    std::uint32_t m_currentUid = 0;
    std::uint32_t m_currentContext;
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
