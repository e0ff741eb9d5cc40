// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/event-loop.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

namespace
{

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
    m_heap.push({at, ++m_sequence, slot, generation});
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

/// Returns whether an event is left that was not cancelled.
bool
EventLoop::HasEvents()
{
    while (!m_heap.empty() && m_slots[m_heap.top().slot].generation != m_heap.top().generation)
    {
        m_heap.pop();
    }
    return !m_heap.empty();
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
    while (!(isOver && isOver()) && !WatchHolds())
    {
        if (m_heap.empty() || m_heap.top().at > deadline)
        {
            m_now = HasEvents() ? std::max(m_now, deadline) : m_now;
            return;
        }
        const Event event = m_heap.top();
        m_heap.pop();
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
