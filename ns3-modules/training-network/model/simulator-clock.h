// SPDX-License-Identifier: GPL-2.0-only
// geotrain's Clock over ns-3's Simulator, with an origin of its own: the only place, together with
// the rest of this module, that asks ns-3 for the time.
#pragma once

#include "execution/clock.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <unordered_map>

namespace ns3
{

class SimulatorClock : public geotrain::Clock
{
  public:
    ~SimulatorClock() override;

    /// From here on the present reads 0. No event may be pending on this clock.
    void StartAtZero();

    geotrain::Instant Now() const override;
    EventNumber Schedule(geotrain::Instant at, Callback callback) override;
    void Cancel(EventNumber event) override;

    /// Events at the deadline still run. Where later ones are left, the clock then reads the
    /// deadline and 1 ns.
    void RunUntil(const Predicate& isOver, geotrain::Instant deadline) override;

    /// Ends the RunUntil in progress, of whatever clock, where its predicate holds. Called after
    /// every event that called something outside the network.
    static void EndRunIfOver();

    /// Whether some clock runs.
    static bool IsRunning();

  private:
    struct Pending
    {
        EventId event;
        Callback callback;
    };

    void Execute(EventNumber event);

    Time m_origin;
    geotrain::Instant m_deadline = geotrain::Instant::Never(); ///< of the Run in progress
    EventNumber m_last = 0;
    std::unordered_map<EventNumber, Pending> m_pending; ///< never iterated in a run
};

} // namespace ns3
