// The wide-area network of a run as data: data centres with their nodes, a WAN graph of any shape, caps.
// What makes ns-3 devices of it (WanBuilder), and what computes paths over it (WanPaths), reads only this.
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

/// How much a queue holds. A fraction of the bandwidth-delay product is resolved by the builder with the
/// rate of the queue's own link or cap and the round-trip time of the path that it serves.
struct WanQueueSize
{
    enum class Unit
    {
        Packets,
        Bytes,
        BandwidthDelayProducts
    };

    Unit unit = Unit::BandwidthDelayProducts;
    double value = 1; ///< positive
};

/// RED instead of drop-tail (red-queue.h).
struct WanRed
{
    WanQueueSize minThreshold{WanQueueSize::Unit::BandwidthDelayProducts, 0.25};
    WanQueueSize maxThreshold{WanQueueSize::Unit::BandwidthDelayProducts,
                              0.75}; ///< of the same unit, and more
    double maxProbability = 0.1;
    double weight = 0.002;
    bool gentle = true;
    bool ecn = true;
};

struct WanTopology
{
    /// A point of the WAN graph: a data centre's border router, or a transit router where `nodes` is 0.
    /// Nodes are counted through the sites in their order: site 0 has nodes 0 to nodes-1, and so on.
    struct Site
    {
        std::string name;
        std::uint32_t nodes = 0;
        BitRate nicRate; ///< of each node, both ways; WAN and intra-DC traffic share it
        BitRate
            intraRate; ///< what a node may send and receive inside the site; at most nicRate
        Duration intraDelay; ///< one way, node to node inside the site
        std::optional<double> latitude;
        std::optional<double> longitude;
    };

    /// Full duplex; parallel links between two sites are kept apart.
    struct Link
    {
        std::uint32_t from = 0; ///< index into `sites`
        std::uint32_t to = 0;
        BitRate rate;   ///< each way, shared by all node pairs that cross it
        Duration delay; ///< one way
        WanQueueSize queue;
        double lossRate = 0; ///< of packets, independent, in [0, 1)
        std::string
            queueDisc; ///< ns-3 TypeId ("ns3::FqCoDelQueueDisc"); empty: the link's own queue

        // Each way, with random numbers of its own. At most one of queueDisc, red and coDel.
        std::optional<WanRed> red;
        std::optional<CoDelSettings> coDel;
        std::optional<PolicerSettings> policer;
        std::optional<BurstLossSettings> burstLoss;
        std::optional<JitterSettings> jitter;
        double duplication = 0;          ///< of packets, in [0, 1)
        std::vector<RateStep> rateSteps; ///< in the order of time, from BeginSchedules() on
        std::vector<Outage> outages;     ///< the same; none within another
    };

    /// What a node may put on the WAN, as a cloud sets it. An unset rate is no cap. Caps shape with a queue
    /// of `queue`, or drop what exceeds the rate when `police` is set (token bucket of `policerBurst`).
    struct Caps
    {
        std::optional<BitRate>
            nodePair; ///< each directed pair of nodes in two data centres
        std::optional<BitRate> nodeEgress;  ///< a node's traffic to other data centres
        std::optional<BitRate> nodeIngress; ///< a node's traffic from other data centres
        WanQueueSize queue;
        bool police = false;
        Bytes policerBurst = Bytes::Of(1000000);
    };

    std::vector<Site> sites;
    std::vector<Link> links;
    Caps caps;
    Bytes mtu = Bytes::Of(1500); ///< IP packet size, 576 to 65,535 bytes
    Bytes portQueue = Bytes::Of(16000000); ///< of each NIC and switch port

    std::uint32_t NodeCount() const;

    /// The site of a node; `node` is below NodeCount().
    std::uint32_t SiteOf(std::uint32_t node) const;
};

} // namespace geotrain
