// SPDX-License-Identifier: GPL-2.0-only
// Carries what prefills send. KV caches go from the node that computed them to a decode node of its
// data centre, over training's network or over NICs of their own. The latter are packets in a run
// over packets, else latency + size/bandwidth with fair sharing, and apart from training's network
// either way. Activations go from stage to stage over training's network.
#pragma once

#include "analytic/analytic-network.h"
#include "prefill-service/prefill-controller.h"
#include "runner/filler-run.h"
#include "runner/kv-packet-networks.h"

#include <memory>
#include <vector>

namespace geotrain
{

/// ServingHardware is what prefills need beside the GPUs of training.
struct ServingHardware
{
    std::uint64_t decodeGpus = 0; ///< GPUs of decode nodes that don't train
    std::uint64_t kvNics = 0;     ///< NICs that carry nothing but KV caches
};

/// Returns that of the data centres that serve.
ServingHardware HardwareOf(const TrainingSpec& spec, const PlanStreams& plan);

/// KvNetwork carries the KV caches and activations of one run.
class KvNetwork
{
  public:
    /// The layer of `training` gives the clock. The job must have an inference section.
    explicit KvNetwork(const FilledTraining& training);

    /// Returns the functions with which the controller sends. They refer to this object. That of
    /// activations is empty where they don't share training's NICs.
    ServingTransfers Transfers();

    /// Returns the node pairs to warm for prefills in addition to training's pairs; none for what
    /// has NICs of its own.
    static std::vector<Network::WarmUp> PairsToWarm(const TrainingSpec& spec,
                                                    const PlanStreams& plan);

    /// Returns the bytes of KV caches that were delivered so far.
    Bytes Delivered() const;

    /// Returns the bytes of activations that training's network delivered so far.
    Bytes DeliveredActivations() const;

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

    void RouteOverPackets(const TrainingSpec& spec);

    MessageLayer& m_training;
    const InferenceSection& m_inference;
    std::unique_ptr<AnalyticNetwork> m_own;
    std::unique_ptr<MessageLayer> m_ownLayer;
    std::unique_ptr<KvPacketNetworks> m_ownPackets;
    std::vector<Route> m_routes; ///< by node, as the run counts nodes
    Bytes m_delivered;
    Bytes m_deliveredActivations;
};

} // namespace geotrain
