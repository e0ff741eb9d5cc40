// SPDX-License-Identifier: GPL-2.0-only
// Describes the wide-area network of a run as data: data centres with their nodes, a WAN graph of
// any shape, caps. Those who make ns-3 devices of it (WanBuilder) and who compute paths over it
// (WanPaths) read only this.
#pragma once

#include "wan/learned-link.h"
#include "wan/link-impairments.h"
#include "wan/traffic-class.h"
#include "wan/wan-queue-size.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// WanRouting says by which links traffic goes from one site to another.
enum class WanRouting : std::uint8_t
{
    Direct,     ///< by a link of the two, where there is one; else by the least delay
    LeastDelay, ///< by the least delay, though the two have a link
    Widest      ///< by the path whose slowest link is the fastest; of those, of the least delay
};

/// ParallelLinks says which of several links between two sites carries a connection.
enum class ParallelLinks : std::uint8_t
{
    Share, ///< by a hash of the connection, weighted by the links' rates
    First  ///< the one of the least delay, of those the fastest, of those the first
};

/// A WanTopology is the whole network of a run.
struct WanTopology
{
    /// A Site is a point of the WAN graph: a data centre's border router, or a transit router where
    /// `nodes` is 0. Nodes are counted through the sites in their order: site 0 has nodes 0 to
    /// nodes-1, and so on.
    struct Site
    {
        std::string name;
        std::uint32_t nodes = 0;
        /// Rate per node and direction, which WAN and intra-DC traffic share.
        BitRate nicRate;
        /// Rate at which a node may send and receive inside the site; at most nicRate.
        BitRate intraRate;
        Duration intraDelay; ///< one way, node to node inside the site
        std::optional<double> latitude;
        std::optional<double> longitude;
    };

    /// A Link is full duplex. Parallel links between two sites are kept apart. Its impairments hold
    /// per direction, with random numbers of their own. Forward is from `from` to `to`.
    struct Link : LinkImpairments
    {
        std::uint32_t from = 0; ///< index into `sites`
        std::uint32_t to = 0;
        BitRate rate;                      ///< forward rate, shared by all node pairs that cross it
        Duration delay;                    ///< one way, forward
        std::optional<BitRate> rateBack;   ///< none: as forward
        std::optional<Duration> delayBack; ///< none: as forward
        std::optional<RateSchedule> ratesBack; ///< none: as forward
        WanQueueSize queue;
        /// ns-3 TypeId ("ns3::FqCoDelQueueDisc"), in the place of the other kinds of queues; an empty
        /// text means the link's own queue.
        std::string queueDisc;
        /// What replaces rate, delay and queue of each direction; none: an ordinary link. Rate,
        /// delay and queue are then those of the forward direction.
        std::shared_ptr<const LearnedLink> learned;

        BitRate RateOf(bool forward) const;
        Duration DelayOf(bool forward) const;
        const RateSchedule& RatesOf(bool forward) const;

        /// Returns the delay there and back.
        Duration RoundTrip() const;
    };

    /// Caps limit what a node may put on the WAN, as a cloud provider sets them. An unset rate is
    /// no cap. Caps shape with a queue of `queue`, or drop what exceeds the rate when `police` is
    /// set (token bucket of `policerBurst`).
    struct Caps
    {
        /// Cap per directed pair of nodes in two data centres.
        std::optional<BitRate> nodePair;
        std::optional<BitRate> nodeEgress;  ///< cap on a node's traffic to other data centres
        std::optional<BitRate> nodeIngress; ///< cap on a node's traffic from other data centres
        /// Cap on each connection between two data centres, ahead of the others.
        std::optional<BitRate> connection;
        WanQueueSize queue;
        bool police = false;
        Bytes policerBurst = Bytes::Of(1000000);
    };

    /// A Route is a way that connections take from one data centre to another, in place of what
    /// `routing` finds. A pair of sites may have several, which share its connections by weight. Where a
    /// pair has none and the opposite pair has some, it takes those in reverse.
    struct Route
    {
        std::uint32_t from = 0; ///< index into `sites`
        std::uint32_t to = 0;
        std::vector<std::uint32_t> via; ///< sites between the two, in their order
        double weight = 1;              ///< positive
    };

    std::vector<Site> sites;
    std::vector<Link> links;
    std::vector<Route> routes;
    WanRouting routing = WanRouting::Direct;
    ParallelLinks parallel = ParallelLinks::Share;
    /// Time after which routers know of an outage that loses packets, and of its end, and send packets
    /// by other links. None: they never do, but for parallel links.
    std::optional<Duration> rerouteAfter;
    Caps caps;
    Bytes mtu = Bytes::Of(1500);           ///< IP packet size, 576 to 65,535 bytes
    Bytes portQueue = Bytes::Of(16000000); ///< queue per NIC and per switch port
    /// How links, NICs and caps serve traffic; the first is of what belongs to no other. Empty: packets
    /// go in their order.
    std::vector<TrafficClass> classes;

    std::uint32_t NodeCount() const;

    /// Returns the site of a node, which is below NodeCount().
    std::uint32_t SiteOf(std::uint32_t node) const;

    /// Returns the names of a link's two directions, forward first: "a -> b", or "a -> b #2" for
    /// the second of parallel links. Another link elsewhere changes no name.
    std::pair<std::string, std::string> NamesOfLink(std::size_t link) const;

    /// Returns these names of all links. For many links this is much faster than one by one, since
    /// each of those calls goes over the links before its own.
    std::vector<std::pair<std::string, std::string>> NamesOfLinks() const;
};

} // namespace geotrain
