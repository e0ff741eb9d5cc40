// The clock of networks without ns-3: a heap of events, those of one instant in the order of scheduling.
#pragma once

#include "execution/clock.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

class EventLoop : public Clock
{
  public:
    Instant Now() const override;
    EventNumber Schedule(Instant at, Callback callback) override;
    void Cancel(EventNumber event) override;
    void Run(Instant deadline) override;
    void Stop() override;

  private:
    /// Where a callback waits. Its generation tells an event that has run or was cancelled from its successor.
    struct Slot
    {
        Callback callback;
        std::uint32_t generation = 1;
    };

    /// What the heap moves about is small; the callback stays in its slot.
    struct Event
    {
        Instant at;
        std::uint64_t sequence = 0;
        std::uint32_t slot = 0;
        std::uint32_t generation = 0;
    };

    struct IsLater
    {
        bool operator()(const Event& a, const Event& b) const
        {
            return a.at > b.at || (a.at == b.at && a.sequence > b.sequence);
        }
    };

    void Free(std::uint32_t slot);

    Instant m_now;
    std::uint64_t m_sequence = 0;
    bool m_stopped = false;
    std::vector<Event> m_heap;
    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_freeSlots;
};

} // namespace geotrain
