#include "analytic/event-loop.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace geotrain
{

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
    m_heap.push_back({at, ++m_sequence, slot, generation});
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater());
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

void
EventLoop::Run(Instant deadline)
{
    m_stopped = false;
    while (!m_stopped && !m_heap.empty() && m_heap.front().at <= deadline)
    {
        const Event event = m_heap.front();
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater());
        m_heap.pop_back();
        if (m_slots[event.slot].generation == event.generation)
        {
            const Callback callback = std::move(m_slots[event.slot].callback);
            Free(event.slot);
            m_now = event.at;
            callback();
        }
    }
}

void
EventLoop::Stop()
{
    m_stopped = true;
}

} // namespace geotrain
