// SPDX-License-Identifier: GPL-2.0-only
// The data centres of an in-network optimizer without packets: streams are pipes, and the servers'
// steps are those of the packets. Inside a data centre nothing is lost.
#pragma once

#include "in-network-optimizer/helper/optimizer-sites.h"
#include "in-network-optimizer/helper/stream-pipe.h"

#include <deque>
#include <memory>

namespace ns3
{

/// PipedSite is a data centre of pipes. Its servers' streams share the workers' links.
class PipedSite
{
  public:
    PipedSite(geotrain::Clock& clock, const InNetworkClusterSettings& settings);

    StreamEnd& Server(std::uint32_t server);
    StreamEnd& Worker(std::uint32_t worker, std::uint32_t server);

  private:
    /// Streams are those of one server.
    struct Streams
    {
        std::unique_ptr<StreamPipe> down;
        std::unique_ptr<StreamPipe> up;
        std::deque<PipeEnd> workers;
        std::unique_ptr<PipeEnd> server;
    };

    SharedLinks m_links;
    HeartbeatPath m_path;           ///< of the parameters' receivers
    std::vector<Streams> m_streams; ///< by server
};

/// PipedSites own the pipes and the servers of a run.
class PipedSites : public OptimizerSites
{
  public:
    /// `clock` outlives it.
    PipedSites(geotrain::Clock& clock,
               const InNetworkClusterSettings& servers,
               const std::optional<InNetworkWan>& wan);

    std::vector<LayerPipeline*> Pipelines() override;

  private:
    StreamEnd& WorkerAt(const InNetworkWan::Place& place, std::uint32_t server) override;
    StreamEnd& ServerAt(std::size_t site, std::uint32_t server) override;

    std::deque<PipedSite> m_sites;                           ///< the servers' is the first
    std::vector<std::unique_ptr<LayerPipeline>> m_pipelines; ///< by server
};

} // namespace ns3
