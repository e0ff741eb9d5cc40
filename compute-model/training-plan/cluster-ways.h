// SPDX-License-Identifier: GPL-2.0-only
// What a node pair meets on its way from one data centre to another, or inside one: delay, and the
// rates that limit it, each by who shares it. Made once per cluster of what node pairs share
// (wan/resources.h), since a planner reads it for every plan.
#pragma once

#include "training-plan/cluster.h"

#include <limits>
#include <vector>

namespace geotrain
{

/// Rates are bit/s on the wire; infinity where nothing limits them.
struct Way
{
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    Duration delay; ///< one way, node to node
    Duration roundTrip;
    double source = unlimited;      ///< all that one node sends
    double destination = unlimited; ///< all that one node receives
    double pair = unlimited;        ///< what the two nodes exchange in this direction
    double link = unlimited;        ///< all that crosses the slowest WAN link
    double window = unlimited;      ///< payload bit/s that all connections' windows allow
    double payloadShare = 1;        ///< of the bits on the wire
    bool isThere = false;           ///< false: no path, or no nodes

    /// Payload bit/s of a node pair that shares the way with nobody.
    double PairRate() const;
};

class ClusterWays
{
  public:
    explicit ClusterWays(const Cluster& cluster);

    const Way& Between(std::uint32_t from, std::uint32_t to) const;

    /// Between two nodes of a data centre.
    const Way& Inside(std::uint32_t dataCenter) const;

  private:
    std::size_t m_count;
    std::vector<Way> m_ways; ///< [from][to], row after row
};

} // namespace geotrain
