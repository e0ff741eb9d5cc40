// SPDX-License-Identifier: GPL-2.0-only
// Finds paths through a WAN graph: along the routers' steps (routing-steps.h), over the ways of routes
// (wan-ways.h) and parallel links (parallel-links.h). The same topology always has the same paths.
#pragma once

#include "wan/parallel-links.h"
#include "wan/routing-steps.h"
#include "wan/wan-hop.h"
#include "wan/wan-topology.h"
#include "wan/wan-ways.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// Half of the delay inside a site lies before the site's router and half behind it. An odd
/// nanosecond lies behind it.
Duration DelayToRouter(const WanTopology::Site& site);
Duration DelayFromRouter(const WanTopology::Site& site);

/// Returns a number in (0, 1) for a connection, the same in every run: a hash of its two nodes and of its
/// number among those that lead from the one to the other.
double DrawOf(std::uint32_t source, std::uint32_t destination, std::uint32_t connection);

/// WanPaths holds the paths between all sites of a topology.
class WanPaths
{
  public:
    /// Link ends must be sites of `topology`, and links must join the sites of routes. `isOut` says by
    /// link which are not to be taken; empty: none. Time and memory grow with O(sites^2).
    explicit WanPaths(const WanTopology& topology, const std::vector<bool>& isOut = {});

    /// Returns whether these are the paths of a topology: one with the same nodes, routing, sharing, and ends,
    /// delays and rates of links in both directions.
    bool AreOf(const WanTopology& topology) const;

    /// Returns the first link from `from` to `to`; nothing if there is no path or the two are one.
    std::optional<WanHop> NextHop(std::uint32_t from, std::uint32_t to) const;

    /// Returns the links in their order. They are empty where `from` is `to`, and nothing is
    /// returned where there is no path. With a connection's `draw` they are its Carrier()s, on its way
    /// where the pair has routes; otherwise the first way's.
    std::optional<std::vector<WanHop>>
    SitePath(std::uint32_t from, std::uint32_t to, std::optional<double> draw = std::nullopt) const;

    /// Returns the ways of a pair of sites; empty where no route says any.
    const std::vector<WanWay>& WaysOf(std::uint32_t from, std::uint32_t to) const;

    /// Returns which of the ways a connection takes: of those that are not out by its draw and their
    /// weights. Nothing: there is none.
    std::optional<std::size_t> WayOf(std::uint32_t from, std::uint32_t to, double draw) const;

    /// Returns the links that share what the paths' hop `of` carries, in their order: all links that
    /// lead that way (WanRouting::Direct), or those of them that the routing takes for equal; `of`
    /// alone where none shares (WanTopology::parallel).
    const std::vector<WanHop>& Sharing(const WanHop& of) const;

    /// Returns all links that may carry connections from one site to another, each once.
    std::vector<WanHop> AllHops(std::uint32_t from, std::uint32_t to) const;

    /// Returns which of the links that share a hop carries a connection. `draw` is its DrawOf(). A
    /// link's chance is its rate's share.
    WanHop Carrier(const WanHop& of, double draw) const;

    /// Returns whether parallel links or several ways share the connections from one node to another.
    bool AreShared(std::uint32_t from, std::uint32_t to) const;

    /// Returns the one-way propagation delay from router to router, of the first way where the pair has
    /// routes.
    std::optional<Duration> SiteDelay(std::uint32_t from, std::uint32_t to) const;

    /// Returns the one-way propagation delay from one node to another, of a connection where its draw is
    /// given: both sites' inner parts and the WAN between.
    std::optional<Duration> NodeDelay(std::uint32_t from,
                                      std::uint32_t to,
                                      std::optional<double> draw = std::nullopt) const;

    /// Returns NodeDelay there and back for two different nodes.
    std::optional<Duration> RoundTripTime(std::uint32_t a, std::uint32_t b) const;

    /// Returns per link the longest round trip, node to node, of two data centres whose path in
    /// either direction crosses it. A link that no such path crosses has its own two delays.
    std::vector<Duration> LongestRoundTrips() const;

  private:
    const RoutingStep& StepOf(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t OtherEnd(const WanHop& hop) const;
    std::vector<std::vector<WanHop>> PathsOf(std::uint32_t from, std::uint32_t to) const;
    Duration DelayOf(const std::vector<WanHop>& path) const;
    void NoteRoundTrip(const std::vector<WanHop>& path,
                       Duration roundTrip,
                       std::vector<Duration>& longest) const;

    WanTopology m_topology;
    WanWays m_ways;
    std::vector<RoutingStep> m_steps; ///< destination after destination, sites x sites
    LinkGroups m_groups;
    std::vector<std::uint32_t> m_siteOf; ///< site per node
};

} // namespace geotrain
