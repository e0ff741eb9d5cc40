// SPDX-License-Identifier: GPL-2.0-only
// The clock of networks without ns-3. Events are in a heap; those of one instant run in the order
// of scheduling.
#pragma once

#include "execution/clock.h"

#include <boost/heap/d_ary_heap.hpp>

#include <cstdint>
#include <vector>

namespace geotrain
{

/// EventLoop is a Clock that stands by itself.
class EventLoop : public Clock
{
  public:
    Instant Now() const override;
    EventNumber Schedule(Instant at, Callback callback) override;
    void Cancel(EventNumber event) override;
    void RunUntil(const Predicate& isOver, Instant deadline) override;
    void SetWatch(Predicate watch) override;

  private:
    /// A Slot is where a callback waits. Its generation tells an event that has run or was
    /// cancelled from its successor in the slot.
    struct Slot
    {
        Callback callback;
        std::uint32_t generation = 1;
    };

    /// An Event is what the heap moves about. It is small, since the callback stays in its slot.
    struct Event
    {
        Instant at;
        std::uint64_t sequence = 0;
        std::uint32_t slot = 0;
        std::uint32_t generation = 0;

        /// Returns whether the other event runs first, as a heap of the greatest asks.
        bool operator<(const Event& other) const
        {
            return other.at < at || (at == other.at && other.sequence < sequence);
        }
    };

    /// With four children per node it is half as deep as with two, and children lie side by side.
    using Heap = boost::heap::d_ary_heap<Event, boost::heap::arity<4>>;

    bool HasEvents();
    bool WatchHolds();
    void Free(std::uint32_t slot);

    Instant m_now;
    std::uint64_t m_sequence = 0;
    Heap m_heap;
    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_freeSlots;
    Predicate m_watch;
    std::uint32_t m_untilWatch = 0; ///< events until the watch is asked
};

} // namespace geotrain
