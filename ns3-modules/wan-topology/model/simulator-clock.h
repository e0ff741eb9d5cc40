// SPDX-License-Identifier: GPL-2.0-only
// Implements geotrain's Clock over ns-3's Simulator, with an origin of its own. Outside the ns-3
// modules nothing asks ns-3 for the time.
#pragma once

#include "execution/clock.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <unordered_map>

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
    struct Pending
    {
        EventId event;
        Callback callback;
    };

    void Execute(EventNumber event);

    Time m_origin;
    /// Deadline of the RunUntil() in progress.
    geotrain::Instant m_deadline = geotrain::Instant::Never();
    EventNumber m_last = 0;
    /// Not iterated in a run, since its order is not fixed.
    std::unordered_map<EventNumber, Pending> m_pending;
};

} // namespace ns3
