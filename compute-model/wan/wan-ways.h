// SPDX-License-Identifier: GPL-2.0-only
// The ways that a topology's routes give to pairs of sites. A pair whose routes are written for one
// direction takes them back, too.
#pragma once

#include "wan/wan-hop.h"
#include "wan/wan-topology.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// A WanWay is one of the routes of a pair of sites (WanTopology::Route).
struct WanWay
{
    std::vector<WanHop> hops; ///< of parallel links the one that routing takes
    double weight = 1;
    bool isOut = false; ///< all links of a hop are out
};

/// Returns which of the ways a connection of this draw (DrawOf) takes: of those that are not out by their
/// weights. Nothing: there is none.
std::optional<std::size_t> ChooseWay(const std::vector<WanWay>& ways, double draw);

/// WanWays holds the ways of all pairs that have routes.
class WanWays
{
  public:
    /// Links must join the sites of routes. `isOut` says by link which are out; empty: none.
    WanWays(const WanTopology& topology, const std::vector<bool>& isOut);

    /// Returns the ways of a pair of sites; empty where no route says any.
    const std::vector<WanWay>& Of(std::uint32_t from, std::uint32_t to) const;

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<WanWay>> m_ways; ///< by sites
};

} // namespace geotrain
