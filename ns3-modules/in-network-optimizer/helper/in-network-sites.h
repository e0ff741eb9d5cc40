// SPDX-License-Identifier: GPL-2.0-only
// The clusters of an in-network optimizer, over packets: that of the servers, and one for each other
// data centre that relays join to it. A run with one data centre has the first alone.
#pragma once

#include "in-network-optimizer/helper/in-network-cluster.h"
#include "in-network/optimizer-sites.h"

namespace ns3
{

/// InNetworkSites own the clusters of a run.
class InNetworkSites : public geotrain::OptimizerSites
{
  public:
    InNetworkSites(const geotrain::InNetworkClusterSettings& servers,
                   const std::optional<geotrain::InNetworkWan>& wan);

    std::vector<geotrain::LayerPipeline*> Pipelines() override;

    bool HasPackets() const override;
    std::int64_t Progress() override;
    std::vector<std::string> Waits() override;
    void AddPackets(geotrain::NetworkCounters& counters) const override;

  private:
    geotrain::StreamEnd& WorkerAt(const geotrain::InNetworkWan::Place& place,
                                  std::uint32_t server) override;
    geotrain::StreamEnd& ServerAt(std::size_t site, std::uint32_t server) override;

    std::vector<std::unique_ptr<InNetworkCluster>> m_clusters; ///< the servers' is the first
};

} // namespace ns3
