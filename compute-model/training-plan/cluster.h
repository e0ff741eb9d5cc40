// SPDX-License-Identifier: GPL-2.0-only
// The machines that a job may use: data centres with their GPUs and prices, the WAN between them,
// and the transport that carries messages. It ignores GPUs that others use.
#pragma once

#include "analytic/analytic-transport.h"
#include "hardware/gpu-spec.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

struct Cluster
{
    struct DataCenter
    {
        std::uint32_t gpusPerNode = 0;
        GpuSpec gpu;
        double dollarsPerGpuHour = 0;
        double dollarsPerEgressGigabyte = 0; ///< of what leaves the data centre, 10^9 bytes
    };

    WanTopology wan;                     ///< its first sites are the data centres
    std::vector<DataCenter> dataCenters; ///< one that has no nodes takes no part
    AnalyticTransport transport;
    Bytes chunk = Bytes::Of(256000); ///< of a striped message
    Duration turnLatency;            ///< of passing a turn of temporal sharing

    const std::string& NameOf(std::uint32_t dataCenter) const;
    std::uint32_t NodesOf(std::uint32_t dataCenter) const;

    /// One way, from node to node inside the data centre.
    Duration IntraDelayOf(std::uint32_t dataCenter) const;

    std::uint64_t GpusOf(std::uint32_t dataCenter) const;

    /// Tensor-parallel groups of `width` GPUs that fit, each in one node.
    std::uint64_t GroupsOf(std::uint32_t dataCenter, std::uint32_t width) const;

    std::uint64_t Gpus() const;
};

/// Throws std::invalid_argument that names the data centre and the rule: no GPUs at all, a negative
/// price, two data centres without a path, a rate of zero.
void CheckCluster(const Cluster& cluster);

} // namespace geotrain
