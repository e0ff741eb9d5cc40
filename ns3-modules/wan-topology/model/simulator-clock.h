// SPDX-License-Identifier: GPL-2.0-only
// Implements geotrain's Clock over ns-3's Simulator, with an origin of its own. Outside the ns-3
// modules nothing asks ns-3 for the time.
#pragma once

#include "execution/clock.h"
#include "wan-topology/model/reusable-event.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/// SimulatorClock is such a clock. Several clocks may share the simulator.
class SimulatorClock : public geotrain::Clock
{
  public:
    ~SimulatorClock() override;

    /// Makes the present time 0. No event may be pending on this clock.
    void StartAtZero();

    geotrain::Instant Now() const override;
    EventNumber Schedule(geotrain::Instant at, Callback callback) override;
    void Cancel(EventNumber event) override;

    /// Runs events, those at the deadline included. If later ones are left, the clock then reads
    /// the deadline plus 1 ns.
    void RunUntil(const Predicate& isOver, geotrain::Instant deadline) override;

    /// Watches the simulator that all clocks share; only geotrain::HeapSimulatorImpl asks.
    void SetWatch(Predicate watch) override;

    /// Returns whether the watch ended the simulator's last run.
    static bool WasEndedByWatch();

    /// Ends the RunUntil() in progress, of whichever clock, if its predicate holds. It is called
    /// after every event that called something outside the network.
    static void EndRunIfOver();

    /// Returns whether some clock runs.
    static bool IsRunning();

  private:
    /// A Slot is where a callback waits for its event, which may find that it was cancelled. Its generation
    /// tells an event that has run or was cancelled from its successor in the slot.
    struct Slot
    {
        Slot(SimulatorClock& clock, std::uint32_t number);
        void Happen();

        SimulatorClock& clock;
        std::uint32_t number;
        std::uint32_t generation = 1;
        Callback callback; ///< empty: cancelled
        Ptr<ReusableEvent<Slot, &Slot::Happen>> event;
    };

    void Execute(Slot& slot);
    void Forget(Slot& slot);

    std::int64_t m_originNs = 0;
    /// Deadline of the RunUntil() in progress.
    geotrain::Instant m_deadline = geotrain::Instant::Never();
    std::deque<Slot> m_slots;
    std::vector<std::uint32_t> m_freeSlots;
    std::size_t m_pending = 0; ///< events that have neither run nor been cancelled
};

} // namespace ns3
