// SPDX-License-Identifier: GPL-2.0-only
// The data centres of an in-network optimizer, over packets or by a formula: that of the servers, and
// each other one that relays join to it.
#pragma once

#include "in-network/in-network-settings.h"
#include "in-network/layer-pipeline.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// OptimizerSites give the streams of workers and servers.
class OptimizerSites
{
  public:
    /// `wan` is there where there are several data centres.
    OptimizerSites(const InNetworkClusterSettings& servers, const std::optional<InNetworkWan>& wan);
    virtual ~OptimizerSites() = default;

    std::uint32_t Workers() const;
    const AggregationSettings& Aggregation() const;

    /// Returns the streams of a worker, numbered over all data centres, to and from `server`.
    StreamEnd& Worker(std::uint32_t worker, std::uint32_t server);

    /// Returns the servers' pipelines.
    virtual std::vector<LayerPipeline*> Pipelines() = 0;

    /// Returns how relays join the data centres; none where there is one.
    const std::optional<InNetworkWan>& Wan() const;

    std::uint32_t Servers() const;

    /// Returns a relay's end of the streams of `server`: in the servers' data centre, and in the one
    /// with the index `site` into InNetworkWan::sites.
    StreamEnd& RelayAtServers(std::size_t site, std::uint32_t server);
    StreamEnd& RelayAtSite(std::size_t site, std::uint32_t server);

    /// Returns whether streams are packets, so that a run may stand still.
    virtual bool HasPackets() const = 0;

    /// Returns a count that grows as long as packets come forward.
    virtual std::int64_t Progress();

    /// Returns a line for each end of a stream that waits for packets: who waits for what.
    virtual std::vector<std::string> Waits();

    /// Adds the packets that were carried and lost.
    virtual void AddPackets(NetworkCounters& counters) const;

  protected:
    /// Returns the streams of a worker of a data centre, the first of which is that of the servers.
    virtual StreamEnd& WorkerAt(const InNetworkWan::Place& place, std::uint32_t server) = 0;

    /// Returns the streams of a server, or of the relay in its place.
    virtual StreamEnd& ServerAt(std::size_t site, std::uint32_t server) = 0;

  private:
    const std::optional<InNetworkWan> m_wan;
    const AggregationSettings m_aggregation;
    const std::uint32_t m_servers;
    const std::uint32_t m_workers;    ///< of the servers' data centre, relays included
    const std::uint32_t m_ownWorkers; ///< without them
};

} // namespace geotrain
