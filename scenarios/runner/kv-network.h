// SPDX-License-Identifier: GPL-2.0-only
// Where KV caches go: from the node that computed them to a decode node of its data centre, over
// NICs of their own (packets in a run over packets, else a network of latency + size/bandwidth with
// fair sharing; apart from training's either way) or over training's network.
#pragma once

#include "analytic/analytic-network.h"
#include "execution/message-layer.h"
#include "prefill-service/prefill-controller.h"
#include "loader/scenario-loader.h"
#include "runner/kv-packet-networks.h"
#include "runner/run-plan.h"

#include <memory>
#include <vector>

namespace geotrain
{

class KvNetwork
{
  public:
    /// `training` must outlive this, and gives the clock. The scenario has an inference section.
    KvNetwork(const LoadedScenario& scenario, const PlanStreams& plan, MessageLayer& training);

    KvTransfer Transfer();

    /// What of `plan` and the scenario is to be warmed beside training's pairs: nothing for NICs of
    /// their own.
    static std::vector<Network::WarmUp> PairsToWarm(const LoadedScenario& scenario,
                                                    const PlanStreams& plan);

    Bytes Delivered() const;

    /// On NICs of their own, over packets; else 0.
    std::uint64_t Packets() const;

    /// Ends the program with a message if bytes were lost or carried twice on NICs of their own.
    void CheckConservation() const;

  private:
    /// How a node's KV caches leave it.
    struct Route
    {
        MessageLayer* layer = nullptr;
        NodeIndex source = 0; ///< as the layer's network counts nodes, which is its own
        NodeIndex destination = 0;
    };

    void RouteOverPackets(const LoadedScenario& scenario);

    std::unique_ptr<AnalyticNetwork> m_own;
    std::unique_ptr<MessageLayer> m_ownLayer;
    std::unique_ptr<KvPacketNetworks> m_ownPackets;
    std::vector<Route> m_routes; ///< by node of the run
    Bytes m_delivered;
};

} // namespace geotrain
