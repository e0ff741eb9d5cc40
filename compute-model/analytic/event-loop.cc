// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/event-loop.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

// Children per node: the heap is half as deep as with two, and children lie side by side.
constexpr std::size_t children = 4;

// Events from one question to the watch to the next: some milliseconds at most.
constexpr std::uint32_t watchInterval = 4096;

} // namespace

Instant
EventLoop::Now() const
{
    return m_now;
}

Clock::EventNumber
EventLoop::Schedule(Instant at, Callback callback)
{
    if (at < m_now)
    {
        throw std::invalid_argument("an event cannot be scheduled in the past");
    }
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(static_cast<std::uint32_t>(m_slots.size()));
        m_slots.emplace_back();
    }
    const std::uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_slots[slot].callback = std::move(callback);
    const std::uint32_t generation = m_slots[slot].generation;
    const Event event{at, ++m_sequence, slot, generation};
    if (at == m_now)
    {
        m_ofNow.push_back(event);
    }
    else
    {
        Push(event);
    }
    return (EventNumber{generation} << 32) | slot;
}

void
EventLoop::Cancel(EventNumber event)
{
    const auto slot = static_cast<std::uint32_t>(event);
    if (slot < m_slots.size() && m_slots[slot].generation == event >> 32)
    {
        Free(slot);
    }
}

void
EventLoop::Free(std::uint32_t slot)
{
    m_slots[slot].callback = nullptr;
    ++m_slots[slot].generation;
    m_freeSlots.push_back(slot);
}

bool
EventLoop::IsEarlier(const Event& a, const Event& b)
{
    return a.at < b.at || (a.at == b.at && a.sequence < b.sequence);
}

void
EventLoop::Push(const Event& event)
{
    std::size_t hole = m_heap.size();
    m_heap.push_back(event);
    while (hole > 0 && IsEarlier(event, m_heap[(hole - 1) / children]))
    {
        m_heap[hole] = m_heap[(hole - 1) / children];
        hole = (hole - 1) / children;
    }
    m_heap[hole] = event;
}

/// Removes the first event.
void
EventLoop::PopHeap()
{
    const Event last = m_heap.back();
    m_heap.pop_back();
    const std::size_t size = m_heap.size();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = children * hole + 1)
    {
        std::size_t earliest = child;
        const std::size_t end = std::min(child + children, size);
        for (std::size_t other = child + 1; other < end; ++other)
        {
            earliest = IsEarlier(m_heap[other], m_heap[earliest]) ? other : earliest;
        }
        if (!IsEarlier(m_heap[earliest], last))
        {
            break;
        }
        m_heap[hole] = m_heap[earliest];
        hole = earliest;
    }
    if (size > 0)
    {
        m_heap[hole] = last;
    }
}

/// Takes the next event up to `deadline`. Returns false if there is none.
bool
EventLoop::TakeNext(Instant deadline, Event& event)
{
    const bool hasOfNow = m_nextOfNow < m_ofNow.size();
    if (hasOfNow && (m_heap.empty() || m_heap.front().at > m_now))
    {
        event = m_ofNow[m_nextOfNow];
        if (event.at > deadline)
        {
            return false;
        }
        if (++m_nextOfNow == m_ofNow.size())
        {
            m_ofNow.clear();
            m_nextOfNow = 0;
        }
        return true;
    }
    if (m_heap.empty() || m_heap.front().at > deadline)
    {
        return false;
    }
    event = m_heap.front();
    PopHeap();
    return true;
}

/// Returns whether an event is left that was not cancelled.
bool
EventLoop::HasEvents()
{
    const auto isCancelled = [this](const Event& event)
    { return m_slots[event.slot].generation != event.generation; };
    while (!m_heap.empty() && isCancelled(m_heap.front()))
    {
        PopHeap();
    }
    return !m_heap.empty() ||
           !std::all_of(m_ofNow.begin() + static_cast<std::ptrdiff_t>(m_nextOfNow),
                        m_ofNow.end(),
                        isCancelled);
}

void
EventLoop::SetWatch(Predicate watch)
{
    m_watch = std::move(watch);
}

bool
EventLoop::WatchHolds()
{
    if (m_untilWatch-- > 0 || !m_watch)
    {
        return false;
    }
    m_untilWatch = watchInterval;
    return m_watch();
}

void
EventLoop::RunUntil(const Predicate& isOver, Instant deadline)
{
    Event event;
    while (!(isOver && isOver()) && !WatchHolds())
    {
        if (!TakeNext(deadline, event))
        {
            m_now = HasEvents() ? std::max(m_now, deadline) : m_now;
            return;
        }
        if (m_slots[event.slot].generation == event.generation)
        {
            const Callback callback = std::move(m_slots[event.slot].callback);
            Free(event.slot);
            m_now = event.at;
            callback();
        }
    }
}

} // namespace geotrain
