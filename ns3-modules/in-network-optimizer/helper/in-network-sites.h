// SPDX-License-Identifier: GPL-2.0-only
// The clusters of an in-network optimizer, over packets: that of the servers, and one for each other
// data centre that relays join to it. A run with one data centre has the first alone.
#pragma once

#include "in-network-optimizer/helper/in-network-cluster.h"
#include "in-network-optimizer/helper/optimizer-sites.h"

namespace ns3
{

/// InNetworkSites own the clusters of a run.
class InNetworkSites : public OptimizerSites
{
  public:
    InNetworkSites(const InNetworkClusterSettings& servers, const std::optional<InNetworkWan>& wan);

    std::vector<LayerPipeline*> Pipelines() override;

    /// Returns the cluster of the servers.
    InNetworkCluster& Home();

    /// Returns a count that grows as long as anything comes forward in a cluster.
    std::int64_t Progress();

    /// Returns a line for each end of a stream that waits: who waits for what.
    std::vector<std::string> Waits();

    /// Adds what the clusters' links have carried and lost.
    void AddPackets(geotrain::NetworkCounters& counters) const;

  private:
    StreamEnd& WorkerAt(const InNetworkWan::Place& place, std::uint32_t server) override;
    StreamEnd& ServerAt(std::size_t site, std::uint32_t server) override;

    std::vector<std::unique_ptr<InNetworkCluster>> m_clusters; ///< the servers' is the first
};

} // namespace ns3
