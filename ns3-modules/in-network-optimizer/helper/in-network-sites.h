// SPDX-License-Identifier: GPL-2.0-only
// The clusters of an in-network optimizer, over packets: that of the servers, and one for each other
// data centre that relays join to it. A run with one data centre has the first alone.
#pragma once

#include "in-network-optimizer/helper/in-network-cluster.h"
#include "in-network-optimizer/helper/wan-relays.h"

namespace ns3
{

/// InNetworkSites own the clusters of a run.
class InNetworkSites
{
  public:
    /// `wan` is there where there are several data centres.
    InNetworkSites(const InNetworkClusterSettings& servers, const std::optional<InNetworkWan>& wan);

    /// Returns the cluster of the servers.
    InNetworkCluster& Home();

    std::uint32_t Workers() const;

    /// Returns the streams of a worker, numbered over all data centres, to and from `server`.
    AggregationEndPoint& Worker(std::uint32_t worker, std::uint32_t server);

    /// Makes the relays, which send over `layer`; none where there is one data centre. They don't
    /// outlive this.
    std::unique_ptr<WanRelays> MakeRelays(geotrain::MessageLayer& layer,
                                          const WanRelay::FailureCallback& failed);

    /// Returns a count that grows as long as anything comes forward in a cluster.
    std::int64_t Progress();

    /// Returns a line for each end of a stream that waits: who waits for what.
    std::vector<std::string> Waits();

    /// Adds what the clusters' links have carried and lost.
    void AddPackets(geotrain::NetworkCounters& counters) const;

  private:
    const std::optional<InNetworkWan> m_wan;
    std::vector<std::unique_ptr<InNetworkCluster>> m_clusters; ///< the servers' is the first
};

} // namespace ns3
