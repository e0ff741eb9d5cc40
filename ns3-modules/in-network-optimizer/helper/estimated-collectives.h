// SPDX-License-Identifier: GPL-2.0-only
// Gives the pulls and pushes of an executor's workers to the estimate of an in-network optimizer: the
// streams of each data centre are pipes, the server's steps are those of ServerEstimate, and relays
// send over the network of the run. One server has threads a step, and switches add; inside a data
// centre nothing is lost.
#pragma once

#include "in-network-optimizer/helper/in-network-collectives.h"
#include "in-network-optimizer/helper/stream-pipe.h"

namespace ns3
{

/// EstimatedInNetworkCollectives take the times of an estimate.
class EstimatedInNetworkCollectives : public InNetworkCollectives
{
  public:
    /// `wan` is there where there are several data centres. The layer outlives this.
    EstimatedInNetworkCollectives(geotrain::MessageLayer& layer,
                                  const InNetworkClusterSettings& servers,
                                  const std::optional<InNetworkWan>& wan,
                                  InNetworkJob job);
    ~EstimatedInNetworkCollectives() override;

    geotrain::NetworkCounters Counters() const override;

  private:
    void Pull(const Request& request) override;
    void Push(const Request& request) override;
    std::unique_ptr<WanRelays> MakeRelays(geotrain::MessageLayer& layer);
    StreamEnd& EndOf(std::uint32_t worker);
    geotrain::Bytes BytesOf(std::size_t layer) const;
    void Begin();
    void ServePull();
    void ServePush();
    void CallAt(double seconds, std::function<void()> call);

    geotrain::Clock& m_clock;
    const InNetworkClusterSettings m_settings;
    const std::optional<InNetworkWan> m_wan;
    ServerEstimate m_server;
    std::vector<std::unique_ptr<PipedSite>> m_sites; ///< the servers' is the first
    std::unique_ptr<WanRelays> m_relays;             ///< null where there is one data centre
    std::vector<std::size_t> m_updates;              ///< by layer
    std::size_t m_pullsServed = 0;
    std::size_t m_pullsEnded = 0;
    std::size_t m_pushesServed = 0;
    bool m_hasBegun = false;
    bool m_awaitsUpdate = false; ///< whether the next pull waits for its layer's update
    bool m_awaitsPull = false;   ///< whether the next push waits for its layer's parameters
    std::vector<geotrain::Clock::EventNumber> m_events;
};

} // namespace ns3
