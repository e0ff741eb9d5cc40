// SPDX-License-Identifier: GPL-2.0-only
// Describes the machines that a job may use: data centres with their GPUs and prices, the WAN
// between them, and the transport that carries messages. It ignores GPUs that others use.
#pragma once

#include "analytic/analytic-transport.h"
#include "hardware/gpu-spec.h"
#include "units/bytes.h"
#include "units/duration.h"
#include "wan/wan-topology.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

class WanPaths;

/// A Cluster is the machines that a job may use.
struct Cluster
{
    /// OtherGpus are nodes whose GPUs differ from the data centre's first ones.
    struct OtherGpus
    {
        std::uint32_t nodes = 0;
        GpuSpec gpu;
    };

    /// A DataCenter has nodes with equally many GPUs, and its prices.
    struct DataCenter
    {
        std::uint32_t gpusPerNode = 0;
        GpuSpec gpu;
        std::vector<OtherGpus> otherGpus = {}; ///< of the last nodes, in their order
        double dollarsPerGpuHour = 0;
        double dollarsPerEgressGigabyte = 0; ///< per 10^9 bytes that leave the data centre
    };

    WanTopology wan;                     ///< its first sites are the data centres
    std::vector<DataCenter> dataCenters; ///< a data centre without nodes takes no part
    AnalyticTransport transport;
    Bytes chunk = Bytes::Of(256000); ///< chunk size of a striped message
    Duration turnLatency;            ///< time to pass a turn of temporal sharing on

    const std::string& NameOf(std::uint32_t dataCenter) const;
    std::uint32_t NodesOf(std::uint32_t dataCenter) const;

    /// Returns the GPU of a node of the cluster, whose nodes are counted through the data centres.
    const GpuSpec& GpuOfNode(std::uint32_t node) const;

    /// Returns the GPU of every data centre and of its other nodes.
    std::vector<GpuSpec> GpuTypes() const;

    std::uint64_t GpusOf(std::uint32_t dataCenter) const;

    /// Returns how many tensor-parallel groups of `width` GPUs fit, each in one node.
    std::uint64_t GroupsOf(std::uint32_t dataCenter, std::uint32_t width) const;

    std::uint64_t Gpus() const;

    /// Returns the paths through `wan`, which are found when somebody asks for the first time, or
    /// after the topology was changed.
    std::shared_ptr<const WanPaths> Paths() const;

  private:
    mutable std::shared_ptr<const WanPaths> m_paths;
};

/// Throws std::invalid_argument that names the data centre and the rule: no GPUs at all, a negative
/// price, two data centres without a path, or a rate of zero.
void CheckCluster(const Cluster& cluster);

} // namespace geotrain
