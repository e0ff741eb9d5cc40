// What a planner knows of the machines: data centres with their GPUs and prices, and the WAN
// between them as rates, delays and paths. It ignores queues, loss and other traffic.
#pragma once

#include "analytic/analytic-network.h"
#include "hardware/gpu-spec.h"
#include "units/bytes.h"
#include "units/duration.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct Cluster
{
    struct DataCenter
    {
        std::string name;
        std::uint32_t nodes = 0; ///< 0: it takes no part
        std::uint32_t gpusPerNode = 0;
        GpuSpec gpu;
        BitRate nicRate;     ///< of a node, each way
        BitRate intraRate;   ///< what a node may send and receive inside the data centre
        Duration intraDelay; ///< one way, node to node
        double dollarsPerGpuHour = 0;
        double dollarsPerEgressGigabyte = 0; ///< of what leaves the data centre, 10^9 bytes

        std::uint64_t Gpus() const
        {
            return std::uint64_t{nodes} * gpusPerNode;
        }

        /// Tensor-parallel groups of `width` GPUs that fit, each in one node.
        std::uint64_t Groups(std::uint32_t width) const
        {
            return std::uint64_t{nodes} * (gpusPerNode / width);
        }
    };

    struct Path
    {
        std::vector<std::size_t> links; ///< indices into `linkRates`, each at most once
        Duration delay;                 ///< one way, node to node
    };

    struct Caps
    {
        std::optional<BitRate> nodePair; ///< of each directed pair of nodes in two data centres
        std::optional<BitRate> nodeEgress;
        std::optional<BitRate> nodeIngress;
    };

    struct Transport
    {
        std::uint32_t connections = 1;        ///< of a node pair over the WAN
        std::uint32_t intraDcConnections = 1; ///< of a node pair inside a data centre
        AnalyticConnection connection;
        Bytes chunk = Bytes::Of(256000); ///< of a striped message
        double payloadShare = 1;         ///< of the bits on a link, in (0, 1]
    };

    std::vector<DataCenter> dataCenters;
    std::vector<BitRate> linkRates;                      ///< of each direction of each WAN link
    std::vector<std::vector<std::optional<Path>>> paths; ///< [from][to]; none: no path, or the same
    Caps caps;
    Transport transport;
    Duration turnLatency; ///< of passing a turn of temporal sharing

    std::uint64_t Gpus() const;
};

/// Throws std::invalid_argument that names the data centre and the rule: no GPUs at all, a negative
/// price, two data centres without a path, a rate of zero.
void CheckCluster(const Cluster& cluster);

/// Payload bit/s of a message between two nodes of different data centres that share the way with
/// nobody: the least of NICs, caps, links, and window over round-trip time of all connections.
double WanPairRate(const Cluster& cluster, std::size_t from, std::size_t to);

/// The same inside a data centre.
double IntraDcPairRate(const Cluster& cluster, std::size_t dataCenter);

} // namespace geotrain
