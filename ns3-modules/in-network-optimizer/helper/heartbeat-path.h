// SPDX-License-Identifier: GPL-2.0-only
// Says when a server hears the heartbeats of receivers behind switches, without an event for each.
// A switch keeps the latest heartbeat of each child and sends the least upwards once an interval.
// Its intervals begin with the first heartbeat after a silence, whichever stream's it is
// (model/aggregation-switch.h). All switches of a level are alike.
#pragma once

#include "in-network-optimizer/helper/heartbeat-phase.h"

#include <cstddef>
#include <vector>

namespace ns3
{

/// A HeartbeatPath is the way of a data centre's streams through its levels of switches.
class HeartbeatPath
{
  public:
    /// A heartbeat takes `hops` seconds to the first level, from each to the next, and to the
    /// server.
    HeartbeatPath(double interval, std::vector<double> hops);

    /// Adds the heartbeats of a stream, which outlive the path's use.
    void Watch(const HeartbeatPhase& heartbeats);

    /// Notes that receivers which were silent send a heartbeat at `at`, which leaves their NICs
    /// `inNic` later and waits `wait` on each further link, in seconds.
    void Begin(double at, double inNic, double wait);

    /// Returns when the server hears a heartbeat that leaves receivers' NICs at `at` and waits
    /// `wait` on each further link, in seconds.
    double Heard(double at, double wait) const;

  private:
    double NextTick(std::size_t level, double at) const;

    const double m_interval;
    const std::vector<double> m_hops;
    std::vector<double> m_phases; ///< time of a tick, by level
    std::vector<const HeartbeatPhase*> m_streams;
};

} // namespace ns3
