// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/heap-simulator-impl.h"

#include <ns3/abort.h>
#include <ns3/global-value.h>
#include <ns3/string.h>

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HeapSimulatorImpl);

namespace
{

constexpr std::uint64_t WATCH_INTERVAL = 1024; // events
constexpr std::uint64_t MOST_EVENTS = std::uint64_t{1} << 42; // that are scheduled: days of a run

} // namespace

HeapSimulatorImpl* HeapSimulatorImpl::s_inUse = nullptr;

/// An InContext is of the site that schedules it and happens in the context of another.
class HeapSimulatorImpl::InContext : public EventImpl
{
  public:
    InContext(HeapSimulatorImpl& simulator, std::uint32_t context, EventImpl* event)
        : m_simulator(simulator),
          m_context(context),
          m_event(event, false)
    {
    }

  private:
    void Notify() override
    {
        m_simulator.EnterSite(m_context);
        m_event->Invoke();
    }

    HeapSimulatorImpl& m_simulator;
    std::uint32_t m_context;
    Ptr<EventImpl> m_event;
};

// These come first, and inline, for the sake of Insert() and RunFirst().

inline void
HeapSimulatorImpl::SiftDown(std::size_t hole, const Entry entry)
{
    Entry* const heap = m_heap.data();
    const std::size_t size = m_size;
    // The last child may have no sibling: one that is not before it stands in.
    heap[size] = heap[size - 1];
    for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1)
    {
        // Which child is the earlier one is chance, so that a branch would cost more than this sum.
        child += heap[child + 1].Before(heap[child]) ? 1 : 0;
        if (!heap[child].Before(entry))
        {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = entry;
}

inline void
HeapSimulatorImpl::SiftUp(std::size_t hole, const Entry entry)
{
    Entry* const heap = m_heap.data();
    while (hole > 0 && entry.Before(heap[(hole - 1) / 2]))
    {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = entry;
}

void
HeapSimulatorImpl::Insert(std::int64_t delayNs, std::uint64_t kind, EventImpl* event)
{
    const Entry entry{m_nowNs + delayNs, m_site | m_scheduled | kind, event};
    m_scheduled += 2;
    if (m_rootVacant)
    {
        m_rootVacant = false;
        SiftDown(0, entry);
        return;
    }
    if (++m_size == m_heap.size())
    {
        m_heap.resize(2 * m_size);
    }
    SiftUp(m_size - 1, entry);
}

void
HeapSimulatorImpl::MoveLastTo(std::size_t hole)
{
    --m_size;
    if (hole < m_size)
    {
        SiftDown(hole, m_heap[m_size]);
    }
}

inline bool
HeapSimulatorImpl::IsEmpty() const
{
    return m_size == (m_rootVacant ? 1 : 0);
}

/// Puts the next event into a vacant root.
inline void
HeapSimulatorImpl::FillRoot()
{
    if (m_rootVacant)
    {
        m_rootVacant = false;
        MoveLastTo(0);
    }
}

inline void
HeapSimulatorImpl::RunFirst()
{
    FillRoot();
    m_rootVacant = true;
    if (++m_eventCount % WATCH_INTERVAL == 0)
    {
        AskWatch();
    }
    const Entry& next = m_heap.front();
    EventImpl* const event = next.event;
    const std::uint64_t key = next.key;
    m_nowNs = next.timeNs;
    m_site = key >> s_siteShift << s_siteShift;
    if ((key & s_light) != 0)
    {
        static_cast<LightEvent*>(event)->Call();
    }
    else
    {
        event->Invoke();
    }
    event->Unref();
}

TypeId
HeapSimulatorImpl::GetTypeId()
{
    static TypeId id = TypeId("geotrain::HeapSimulatorImpl")
                           .SetParent<SimulatorImpl>()
                           .SetGroupName("WanTopology")
                           .AddConstructor<HeapSimulatorImpl>();
    return id;
}

HeapSimulatorImpl::HeapSimulatorImpl()
{
    s_inUse = this;
}

HeapSimulatorImpl::~HeapSimulatorImpl()
{
    s_inUse = nullptr;
}

void
HeapSimulatorImpl::DoDispose()
{
    while (!IsEmpty())
    {
        FillRoot();
        m_rootVacant = true;
        m_heap.front().event->Unref();
    }
    SimulatorImpl::DoDispose();
}

void
HeapSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        event->Invoke();
    }
}

void
HeapSimulatorImpl::Run()
{
    m_stop = false;
    m_isEndedByWatch = false;
    while (!IsEmpty() && !m_stop)
    {
        RunFirst();
    }
    m_site = 0;
}

bool
HeapSimulatorImpl::RunUntil(std::int64_t timeNs)
{
    m_stop = false;
    m_isEndedByWatch = false;
    while (NextEventNs() <= timeNs && !m_stop)
    {
        RunFirst();
    }
    m_site = 0;
    if (!m_stop)
    {
        m_nowNs = timeNs;
    }
    return !m_stop;
}

std::int64_t
HeapSimulatorImpl::NextEventNs()
{
    FillRoot();
    return m_size == 0 ? INT64_MAX : m_heap.front().timeNs;
}

void
HeapSimulatorImpl::SetWatch(std::function<bool()> watch)
{
    m_watch = std::move(watch);
}

/// The event at hand still runs where the watch holds.
void
HeapSimulatorImpl::AskWatch()
{
    NS_ABORT_MSG_IF(m_scheduled / 2 > MOST_EVENTS, "too many events for one run");
    m_isEndedByWatch = m_watch && m_watch();
    m_stop = m_stop || m_isEndedByWatch;
}

bool
HeapSimulatorImpl::IsFinished() const
{
    return IsEmpty() || m_stop;
}

void
HeapSimulatorImpl::Stop()
{
    m_stop = true;
}

void
HeapSimulatorImpl::Stop(const Time& delay)
{
    Simulator::Schedule(delay, &Simulator::Stop);
}

EventId
HeapSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ABORT_MSG_IF(delay.IsStrictlyNegative(), "an event is scheduled for the past: " << delay);
    Insert(delay.GetTimeStep(), 0, event);
    const auto at = static_cast<std::uint64_t>(m_nowNs + delay.GetTimeStep());
    return EventId(event, at, GetContext(), EventId::UID::VALID); // event and time name it
}

void
HeapSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_ABORT_MSG_IF(context != Simulator::NO_CONTEXT && context >= s_sites,
                    "a context of " << context << " is too great");
    const bool isHere = context == GetContext();
    Insert(delay.GetTimeStep(), 0, isHere ? event : new InContext(*this, context, event));
}

EventId
HeapSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
HeapSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    const EventId id(Ptr<EventImpl>(event, false),
                     static_cast<std::uint64_t>(m_nowNs),
                     Simulator::NO_CONTEXT,
                     EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    return id;
}

void
HeapSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        m_destroyEvents.remove(id);
        return;
    }
    if (IsExpired(id))
    {
        return;
    }
    FillRoot();
    const std::size_t hole = Find(id);
    MoveLastTo(hole);
    if (hole < m_size)
    {
        SiftUp(hole, m_heap[hole]);
    }
    id.PeekEventImpl()->Cancel();
    id.PeekEventImpl()->Unref();
}

/// Returns the place of an event in the heap; m_size where it is not there.
std::size_t
HeapSimulatorImpl::Find(const EventId& id) const
{
    std::size_t place = m_rootVacant ? 1 : 0;
    while (place < m_size && (m_heap[place].event != id.PeekEventImpl() ||
                              m_heap[place].timeNs != static_cast<std::int64_t>(id.GetTs())))
    {
        ++place;
    }
    return place;
}

void
HeapSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
HeapSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::find(m_destroyEvents.begin(), m_destroyEvents.end(), id) ==
               m_destroyEvents.end();
    }
    const auto at = static_cast<std::int64_t>(id.GetTs());
    return at < m_nowNs || (at == m_nowNs && Find(id) == m_size);
}

Time
HeapSimulatorImpl::Now() const
{
    return TimeStep(static_cast<std::uint64_t>(m_nowNs));
}

Time
HeapSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? Time(0) : TimeStep(id.GetTs() - static_cast<std::uint64_t>(m_nowNs));
}

Time
HeapSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(INT64_MAX);
}

void
HeapSimulatorImpl::SetScheduler(ObjectFactory /*schedulerFactory*/)
{
}

uint32_t
HeapSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
HeapSimulatorImpl::GetContext() const
{
    return static_cast<std::uint32_t>(m_site >> s_siteShift) - 1;
}

uint64_t
HeapSimulatorImpl::GetEventCount() const
{
    return m_eventCount;
}

void
UseHeapSimulator()
{
    StringValue chosen;
    GlobalValue::GetValueByName("SimulatorImplementationType", chosen);
    if (chosen.Get() == "ns3::DefaultSimulatorImpl")
    {
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue(HeapSimulatorImpl::GetTypeId().GetName()));
    }
}

} // namespace ns3
