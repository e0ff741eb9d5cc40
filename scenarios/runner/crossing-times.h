// SPDX-License-Identifier: GPL-2.0-only
// Says what a message takes to cross the WAN at least: the propagation of its path, and its bytes
// with their headers at the path's rate. That is the rate of its node pair (NICs, caps and links)
// where pipelines send spatially, and of all node pairs of its DP-cell where they take turns. It also
// says how much longer windows make that. Other traffic is ignored, and so are rates that change
// during the run.
#pragma once

#include "execution/execution-observer.h"
#include "execution/temporal-sharing.h"
#include "wan/resources.h"

#include <map>
#include <optional>

namespace geotrain
{

/// CrossingTimes computes once for each pair of data centres, whose node pairs are alike.
class CrossingTimes
{
  public:
    /// A Crossing is what one message takes at least.
    struct Crossing
    {
        Duration propagation;
        Duration serialisation;
        Duration window; ///< beyond the serialisation, for the windows and rates of its connections
    };

    /// `turns` are the cells whose pipelines take turns; unset: they send spatially. `inFlight` is
    /// the most payload in flight of a node pair, and `mostRate` the most payload per second of its
    /// connections together, where something else bounds each.
    CrossingTimes(const WanTopology& topology,
                  std::optional<CellLayout> turns,
                  Bytes inFlight,
                  std::optional<BitRate> mostRate);

    /// Returns the times of a message between data centres.
    Crossing Of(const Message& message);

  private:
    /// A Path leads from a data centre to another one.
    struct Path
    {
        Duration propagation;
        double payloadBps = 0;
        double windowBps = 0; ///< rate that connections allow
    };

    Path PathOf(const Message& message) const;
    std::vector<NodePair> NodePairsOf(const Message& message) const;

    WanTopology m_topology;
    std::optional<CellLayout> m_turns;
    Bytes m_inFlight;
    std::optional<BitRate> m_mostRate;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Path> m_paths; ///< by data centres
};

} // namespace geotrain
