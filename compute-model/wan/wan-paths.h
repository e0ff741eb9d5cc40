// SPDX-License-Identifier: GPL-2.0-only
// Finds paths through a WAN graph, by the topology's routing. Of paths that it takes for equal, the one
// of fewest links goes; of those the one that takes, at every site from the source on, the fastest
// link, and of those the one of lowest index. So a path is what routers do that know the next link per
// destination, and the same topology always has the same paths (Dijkstra's algorithm, Boost.Graph).
// Load plays no part.
#pragma once

#include "wan/wan-topology.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// A WanHop is a link of a path and the direction in which it is crossed.
struct WanHop
{
    std::uint32_t link = 0; ///< index into WanTopology::links
    bool forward = true;    ///< from Link::from to Link::to

    bool operator==(const WanHop& other) const
    {
        return link == other.link && forward == other.forward;
    }
};

/// Half of the delay inside a site lies before the site's router and half behind it. An odd
/// nanosecond lies behind it.
Duration DelayToRouter(const WanTopology::Site& site);
Duration DelayFromRouter(const WanTopology::Site& site);

/// Returns a number in (0, 1) for a connection, the same in every run: a hash of its two nodes and of its
/// number among those that lead from the one to the other.
double DrawOf(std::uint32_t source, std::uint32_t destination, std::uint32_t connection);

/// A WanWay is one of the routes of a pair of sites (WanTopology::Route).
struct WanWay
{
    std::vector<WanHop> hops; ///< of parallel links the one that routing takes
    double weight = 1;
    bool isOut = false; ///< all links of a hop are out
};

/// WanPaths holds the paths between all sites of a topology.
class WanPaths
{
  public:
    /// Link ends must be sites of `topology`, and links must join the sites of routes. `isOut` says by
    /// link which are not to be taken; empty: none. Time and memory grow with O(sites^2).
    explicit WanPaths(const WanTopology& topology, std::vector<bool> isOut = {});

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
    struct Step
    {
        std::int64_t delayNs; ///< delay to the destination; negative: no path
        std::uint32_t link;   ///< next link; s_noLink at the destination itself
    };

    static constexpr std::uint32_t s_noLink = UINT32_MAX;

    const Step& StepOf(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t OtherEnd(const WanHop& hop) const;
    bool IsOut(std::uint32_t link) const;
    std::vector<std::vector<WanHop>> PathsOf(std::uint32_t from, std::uint32_t to) const;
    Duration DelayOf(const std::vector<WanHop>& path) const;
    void NoteRoundTrip(const std::vector<WanHop>& path,
                       Duration roundTrip,
                       std::vector<Duration>& longest) const;
    void FindSteps();
    void FindSharing();
    void FindWays();
    void AddWay(const WanTopology::Route& route, bool forward);
    std::optional<WanHop> LinkBetween(std::uint32_t from, std::uint32_t to) const;

    WanTopology m_topology;
    std::vector<bool> m_isOut; ///< by link; empty: none
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<WanWay>> m_ways; ///< by sites
    std::vector<Step> m_steps;           ///< destination after destination, sites x sites
    std::vector<std::uint32_t> m_siteOf; ///< site per node
    std::vector<std::vector<WanHop>> m_groups; ///< of links that share
    std::vector<std::size_t> m_groupOf;        ///< of link i forward at 2i, backward at 2i+1
};

} // namespace geotrain
