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

} // namespace

HeapSimulatorImpl* HeapSimulatorImpl::s_inUse = nullptr;

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
    // A vacant root still holds the event being run, which comes before all others.
    Entry* const heap = m_heap.data();
    while (hole > 0 && entry.Before(heap[(hole - 1) / 2]))
    {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = entry;
}

std::uint32_t
HeapSimulatorImpl::Insert(std::int64_t delayNs, std::uint32_t context, EventImpl* event)
{
    const std::uint32_t uid = m_nextUid++;
    m_nextUid = std::max<std::uint32_t>(m_nextUid, EventId::UID::VALID);
    const Entry entry{m_nowNs + delayNs, static_cast<std::uint64_t>(uid) << 32 | context, event};
    if (m_rootVacant)
    {
        m_rootVacant = false;
        SiftDown(0, entry);
        return uid;
    }
    if (++m_size == m_heap.size())
    {
        m_heap.resize(2 * m_size);
    }
    SiftUp(m_size - 1, entry);
    return uid;
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
    const auto context = static_cast<std::uint32_t>(next.uidAndContext);
    m_nowNs = next.timeNs;
    m_currentUid = next.Uid();
    if (context == s_light)
    {
        m_currentContext = Simulator::NO_CONTEXT;
        static_cast<LightEvent*>(event)->Call();
    }
    else
    {
        m_currentContext = context;
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
    : m_nextUid(EventId::UID::VALID),
      m_currentContext(Simulator::NO_CONTEXT)
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
    const std::int64_t at = m_nowNs + delay.GetTimeStep();
    const std::uint32_t uid = Insert(delay.GetTimeStep(), m_currentContext, event);
    return EventId(event, static_cast<std::uint64_t>(at), m_currentContext, uid);
}

void
HeapSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    Insert(delay.GetTimeStep(), context, event);
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
    const auto found =
        std::find_if(m_heap.begin() + (m_rootVacant ? 1 : 0),
                     m_heap.begin() + static_cast<std::ptrdiff_t>(m_size),
                     [&id](const Entry& entry) { return entry.Uid() == id.GetUid(); });
    EventImpl* event = found->event;
    const auto hole = static_cast<std::size_t>(found - m_heap.begin());
    MoveLastTo(hole);
    if (hole < m_size)
    {
        SiftUp(hole, m_heap[hole]);
    }
    event->Cancel();
    event->Unref();
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
    const bool past = static_cast<std::int32_t>(id.GetUid() - m_currentUid) <= 0;
    return at < m_nowNs || (at == m_nowNs && past);
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
    return m_currentContext;
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
