// SPDX-License-Identifier: GPL-2.0-only
// Lists what limits the rate of a directed node pair (NICs, intra-DC ports, caps and WAN links) and
// gives the pair's delay. Each resource has a number, so that pairs that share one find each other.
// The analytic network, hop times, the usable WAN capacity and the builders of packet links all ask
// here. Queues, loss and other traffic are ignored.
#pragma once

#include "wan/wan-paths.h"
#include "wan/wan-topology.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace geotrain
{

/// A NodePair leads from its first node to its second one. Nodes are counted through the topology's
/// sites.
using NodePair = std::pair<std::uint32_t, std::uint32_t>;

/// NodeLimits are the rates that limit one node in one direction.
struct NodeLimits
{
    BitRate nic;
    BitRate intra;              ///< inside its data centre; at most nic
    std::optional<BitRate> wan; ///< to or from all other data centres together
    /// With each node of another data centre; a pair's cap counts where its traffic is sent.
    std::optional<BitRate> pair;
};

/// Returns what limits each node of a site where it sends.
NodeLimits EgressLimits(const WanTopology& topology, std::uint32_t site);

/// Returns what limits each node of a site where it receives.
NodeLimits IngressLimits(const WanTopology& topology, std::uint32_t site);

/// Resources numbers the rate limits of a topology.
class Resources
{
  public:
    /// Kind says whom a resource limits.
    enum class Kind : std::uint8_t
    {
        Source,      ///< all that a node sends: NIC, port inside the data centre, egress cap
        Destination, ///< all that a node receives
        Pair,        ///< one directed node pair
        WanLink      ///< all that crosses a WAN link, or links that share it, in one direction
    };

    /// `pairs` are all pairs that have a node-pair cap of their own; others are taken to be without
    /// one. `paths` are those of the topology, which are found where they are not given.
    Resources(const WanTopology& topology,
              const std::vector<NodePair>& pairs,
              std::shared_ptr<const WanPaths> paths = nullptr);

    const WanPaths& Paths() const
    {
        return *m_paths;
    }

    /// Returns the rate of each resource.
    const std::vector<BitRate>& Rates() const;

    /// Returns the resources of a pair of different nodes, from source to destination, as indices
    /// into Rates(). Parallel links that share what they carry are one resource, of their rates' sum, and
    /// so are several routes, of what their links carry together; with the DrawOf() of a connection, they
    /// are the links that carry it. Throws std::invalid_argument where there is no path.
    std::vector<std::size_t> Of(std::uint32_t source,
                                std::uint32_t destination,
                                std::optional<double> draw = std::nullopt) const;

    Kind KindOf(std::size_t resource) const;

    /// Returns the resource of a WAN link's direction alone.
    std::size_t OfLink(const WanHop& hop) const;

    /// Returns the resource through which all comes that a node receives: its NIC.
    std::size_t PortOf(std::uint32_t node) const;

    /// A Crossing is a WAN link on a pair's path.
    struct Crossing
    {
        std::size_t resource = 0; ///< index into Rates()
        Duration delay;           ///< from the source, or the crossing ahead, to the link
    };

    /// Returns the WAN links on the path of a pair, or of a connection, in their order; none inside a data
    /// centre.
    std::vector<Crossing> Crossings(std::uint32_t source,
                                    std::uint32_t destination,
                                    std::optional<double> draw = std::nullopt) const;

    /// Returns whether the two nodes are in different data centres.
    bool CrossesWan(std::uint32_t source, std::uint32_t destination) const;

    /// Returns the one-way propagation delay of a pair or of a connection. Throws std::invalid_argument
    /// where there is no path.
    Duration Delay(std::uint32_t source,
                   std::uint32_t destination,
                   std::optional<double> draw = std::nullopt) const;

    /// Returns the delay there and back.
    Duration RoundTrip(std::uint32_t source, std::uint32_t destination) const;

  private:
    /// The resources of a node in one direction.
    struct NodeSide
    {
        std::size_t nic = 0;
        std::size_t intra = 0;
        std::vector<std::size_t> cap; ///< empty or one resource
    };

    std::size_t Add(BitRate rate, Kind kind);
    NodeSide AddSide(const NodeLimits& limits, Kind kind);
    void AddNodes();
    void AddLinks();
    void AddWays();
    BitRate TogetherOver(const std::vector<WanWay>& ways) const;
    std::size_t ResourceOf(const WanHop& hop, std::optional<double> draw) const;
    void AddPairCaps(const std::vector<NodePair>& pairs);

    WanTopology m_topology;
    std::shared_ptr<const WanPaths> m_paths;
    std::vector<std::uint32_t> m_siteOf;
    std::vector<BitRate> m_rates;
    std::vector<Kind> m_kinds; ///< by resource, as m_rates
    std::vector<NodeSide> m_egress;
    std::vector<NodeSide> m_ingress;
    std::vector<std::size_t> m_links;  ///< link i forward at 2i, backward at 2i+1
    std::vector<std::size_t> m_shared; ///< of all that share with it, likewise
    std::map<NodePair, std::size_t> m_pairCaps;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>
        m_ways; ///< by sites, of several routes
};

} // namespace geotrain
