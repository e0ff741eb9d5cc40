// SPDX-License-Identifier: GPL-2.0-only
// Follows the rates of all links of a topology over time: steps, traces and outages, in which a rate is
// 0. Time 0 is the beginning of the links' schedules.
#pragma once

#include "wan/wan-topology.h"

#include <vector>

namespace geotrain
{

/// RatesOverTime holds one topology.
class RatesOverTime
{
  public:
    explicit RatesOverTime(const WanTopology& topology);

    /// Returns the times at which some rate changes, in their order, the first of which is 0; none where
    /// all are constant. There are 20,000 at most, and of the first hour where traces go with steps,
    /// outages or traces of other lengths.
    const std::vector<Duration>& Changes() const;

    /// Returns the time after which the changes begin again; 0: never.
    Duration Period() const;

    /// Returns the topology with its rates of a time, as constant ones.
    const WanTopology& At(Duration time);

  private:
    void FindChanges();

    WanTopology m_topology;
    WanTopology m_now; ///< without schedules
    std::vector<Duration> m_changes;
    Duration m_period;
};

} // namespace geotrain
