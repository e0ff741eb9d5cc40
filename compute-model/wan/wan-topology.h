// SPDX-License-Identifier: GPL-2.0-only
// Describes the wide-area network of a run as data: data centres with their nodes, a WAN graph of
// any shape, caps. Those who make ns-3 devices of it (WanBuilder) and who compute paths over it
// (WanPaths) read only this.
#pragma once

#include "wan/link-impairments.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// WanQueueSize says how much a queue holds. The builder resolves a fraction of the bandwidth-delay
/// product with the rate of the queue's own link or cap and the round-trip time of the path that it
/// serves.
struct WanQueueSize
{
    /// Unit says what `value` counts.
    enum class Unit
    {
        Packets,
        Bytes,
        BandwidthDelayProducts
    };

    Unit unit = Unit::BandwidthDelayProducts;
    double value = 1; ///< positive
};

/// WanRed replaces drop-tail with RED (red-queue.h).
struct WanRed
{
    WanQueueSize minThreshold{WanQueueSize::Unit::BandwidthDelayProducts, 0.25};
    /// Must be larger than minThreshold, in the same unit.
    WanQueueSize maxThreshold{WanQueueSize::Unit::BandwidthDelayProducts, 0.75};
    double maxProbability = 0.1;
    double weight = 0.002;
    bool gentle = true;
    bool ecn = true;
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

    /// A Link is full duplex. Parallel links between two sites are kept apart.
    struct Link
    {
        std::uint32_t from = 0; ///< index into `sites`
        std::uint32_t to = 0;
        BitRate rate;   ///< rate per direction, shared by all node pairs that cross it
        Duration delay; ///< one way
        WanQueueSize queue;
        double lossRate = 0; ///< probability per packet, independent, in [0, 1)
        /// ns-3 TypeId ("ns3::FqCoDelQueueDisc"); an empty text means the link's own queue.
        std::string queueDisc;

        // These hold per direction, with random numbers of their own. At most one of queueDisc, red
        // and coDel is set.
        std::optional<WanRed> red;
        std::optional<CoDelSettings> coDel;
        std::optional<PolicerSettings> policer;
        std::optional<BurstLossSettings> burstLoss;
        std::optional<JitterSettings> jitter;
        double duplication = 0;          ///< probability per packet, in [0, 1)
        std::vector<RateStep> rateSteps; ///< in the order of time, from BeginSchedules() on
        std::vector<Outage> outages;     ///< in the same order; none overlaps another
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
        WanQueueSize queue;
        bool police = false;
        Bytes policerBurst = Bytes::Of(1000000);
    };

    std::vector<Site> sites;
    std::vector<Link> links;
    Caps caps;
    Bytes mtu = Bytes::Of(1500);           ///< IP packet size, 576 to 65,535 bytes
    Bytes portQueue = Bytes::Of(16000000); ///< queue per NIC and per switch port

    std::uint32_t NodeCount() const;

    /// Returns the site of a node, which is below NodeCount().
    std::uint32_t SiteOf(std::uint32_t node) const;
};

} // namespace geotrain
