// SPDX-License-Identifier: GPL-2.0-only
// Runs ns-3's events at their time of the wall clock, and calls those who wait for file descriptors.
// An event runs at its own simulated time, though the wall clock may be a little later; a
// descriptor's callback runs at the time of the wall clock. Time stands still while Run() is not
// running.
#pragma once

#include "live-wan/model/lateness.h"
#include "wan-topology/model/heap-simulator-impl.h"

#include <functional>
#include <map>

namespace ns3
{

/// WallClockSimulatorImpl is chosen by UseWallClock().
class WallClockSimulatorImpl : public HeapSimulatorImpl
{
  public:
    static TypeId GetTypeId();
    WallClockSimulatorImpl();
    ~WallClockSimulatorImpl() override;

    /// Returns the instance that the Simulator uses. UseWallClock() came before.
    static WallClockSimulatorImpl& InUse();

    /// Calls `onReadable` whenever `descriptor` can be read.
    void WatchDescriptor(int descriptor, std::function<void()> onReadable);
    void ForgetDescriptor(int descriptor);

    /// Makes Run() end where there is no event and `expectsMore` does not hold. Without it, Run()
    /// ends where there is no event.
    void SetExpectsMore(std::function<bool()> expectsMore);

    void Run() override;
    void Stop() override;

    /// Returns by how much the wall clock was ahead of the events when they ran.
    const Lateness& EventLateness() const;

  private:
    void Wait(std::int64_t untilNs);
    std::int64_t WallNs() const;

    int m_poll;
    std::map<int, std::function<void()>> m_watched; ///< by descriptor
    std::function<bool()> m_expectsMore;
    std::int64_t m_originNs = 0; ///< of CLOCK_MONOTONIC at simulated time 0, as far as time ran
    Lateness m_lateness;
    bool m_isStopped = false;
};

/// Makes the Simulator use the wall clock from its next start on.
void UseWallClock();

} // namespace ns3
