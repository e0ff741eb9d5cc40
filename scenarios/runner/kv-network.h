// SPDX-License-Identifier: GPL-2.0-only
// Carries KV caches from the node that computed them to a decode node of its data centre. They go
// over training's network or over NICs of their own. The latter are packets in a run over packets,
// else latency + size/bandwidth with fair sharing, and apart from training's network either way.
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

/// KvNetwork carries the KV caches of one run.
class KvNetwork
{
  public:
    /// `training` gives the clock and must outlive this object. The scenario must have an inference
    /// section.
    KvNetwork(const LoadedScenario& scenario, const PlanStreams& plan, MessageLayer& training);

    /// Returns the function with which the controller sends KV caches. It refers to this object.
    KvTransfer Transfer();

    /// Returns the node pairs to warm for KV caches in addition to training's pairs; none for NICs
    /// of their own.
    static std::vector<Network::WarmUp> PairsToWarm(const LoadedScenario& scenario,
                                                    const PlanStreams& plan);

    /// Returns the bytes of KV caches that were delivered so far.
    Bytes Delivered() const;

    /// Returns the packets sent on NICs of their own; 0 without packets or on training's network.
    std::uint64_t Packets() const;

    /// Ends the program with a message if bytes were lost or carried twice on NICs of their own.
    void CheckConservation() const;

  private:
    /// A Route says how the KV caches of a node leave it. Nodes are counted as in the layer's
    /// network, which may differ from the run's count.
    struct Route
    {
        MessageLayer* layer = nullptr;
        NodeIndex source = 0;
        NodeIndex destination = 0;
    };

    void RouteOverPackets(const LoadedScenario& scenario);

    std::unique_ptr<AnalyticNetwork> m_own;
    std::unique_ptr<MessageLayer> m_ownLayer;
    std::unique_ptr<KvPacketNetworks> m_ownPackets;
    std::vector<Route> m_routes; ///< by node, as the run counts nodes
    Bytes m_delivered;
};

} // namespace geotrain
