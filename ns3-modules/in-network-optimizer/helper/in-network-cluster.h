// SPDX-License-Identifier: GPL-2.0-only
// Builds workers, a tree of switches and servers of light links:
//
//     worker -DMA- NIC link -> switch -> ... -> root switch -> server's link -> server
//
// Links have one rate and delay a level. A parameter server without a switch is the same with the
// adding behind the server's link, which then carries the packets of each worker.
#pragma once

#include "in-network-optimizer/model/aggregation-switch.h"
#include "in-network-optimizer/model/optimizer-server.h"
#include "in-network/in-network-settings.h"
#include "wan-topology/model/light-link.h"
#include "wan-topology/model/light-router.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// InNetworkCluster owns the elements of a run.
class InNetworkCluster
{
  public:
    /// Throws ConfigError as Check() does.
    explicit InNetworkCluster(const geotrain::InNetworkClusterSettings& settings);
    InNetworkCluster(const InNetworkCluster&) = delete;
    InNetworkCluster& operator=(const InNetworkCluster&) = delete;

    const geotrain::InNetworkClusterSettings& Settings() const;

    /// Returns the streams of `worker` to and from `server`.
    AggregationEndPoint& Worker(std::uint32_t worker, std::uint32_t server = 0);
    OptimizerServer& Server(std::uint32_t server = 0);

    /// Returns the servers' pipelines.
    std::vector<geotrain::LayerPipeline*> Pipelines();

    /// Returns both directions of each link, in the order in which they were made.
    const std::vector<std::unique_ptr<LightLink>>& Links() const;

    /// Returns a count that grows as long as anything comes forward.
    std::int64_t Progress();

    /// Returns a line for each end of a stream that waits: who waits for what.
    std::vector<std::string> Waits();

  private:
    /// A StreamDemux gives a worker's packets to the end point of their server.
    class StreamDemux : public PacketElement
    {
      public:
        StreamDemux(geotrain::BitRate nic, geotrain::Bytes burst)
            : pacer(nic, burst)
        {
        }

        void Receive(const PacketRecord& record) override;
        NicPacer pacer;
        std::vector<std::unique_ptr<AggregationEndPoint>> endPoints;
    };

    PacketElement& AddLink(const std::string& name,
                           geotrain::BitRate rate,
                           PacketElement& next,
                           std::optional<geotrain::Duration> diesAt = {});
    PacketElement& AddLink(LinkModel::Settings link,
                           const std::string& name,
                           geotrain::BitRate rate,
                           PacketElement& next);
    void ListWaits(const std::string& who,
                   const AggregationEndPoint& endPoint,
                   std::vector<std::string>& waits) const;
    bool HasServers() const;
    AggregationSwitch& Root();
    void MakeSwitches();
    void MakeServers();
    void ConnectServer(FlowNumber server, PacketElement& down);
    void ConnectSwitches(std::size_t level);
    void MakeWorkers();
    void MakeEndPoints(std::uint32_t worker, std::uint32_t child, PacketElement& up);
    PacketElement& HostLink(const std::string& name, PacketElement& next);

    const geotrain::InNetworkClusterSettings m_settings;
    std::vector<PatternValues> m_values; ///< by worker
    std::vector<std::unique_ptr<LightLink>> m_links;
    std::vector<std::vector<std::unique_ptr<AggregationSwitch>>> m_switches; ///< by level
    std::vector<std::unique_ptr<OptimizerServer>> m_servers;
    std::vector<std::unique_ptr<StreamDemux>> m_workers;
    PatternValues m_allValues; ///< sum of m_values
    SumCheck m_sums;           ///< of sums that come back to workers
    LightRouter m_router;      ///< from the server's link to the workers where no switch adds
    PacketElement* m_serverUp = nullptr; ///< server's link where no switch adds; else null
    PacketElement* m_serverDown = nullptr;
};

} // namespace ns3
