// SPDX-License-Identifier: GPL-2.0-only
// Carries what prefills send. KV caches go from the node that computed them to a decode node of its
// data centre, over training's network or over NICs of their own: each data centre then has a second
// switch, to which a second NIC of the same rate and delay connects every node, and which every decode
// node has its only NIC at. That is packets in a run over packets, else latency + size/bandwidth with
// fair sharing; it shares simulated time with training's network, but no link, node or connection.
// Activations go from stage to stage over training's network.
#pragma once

#include "analytic/analytic-network.h"
#include "prefill-service/prefill-controller.h"
#include "runner/filled-training.h"
#include "runner/packet-network.h"

#include <deque>
#include <vector>

namespace geotrain
{

/// ServingHardware is what prefills need beside the GPUs of training.
struct ServingHardware
{
    std::uint64_t decodeGpus = 0; ///< GPUs of decode nodes that don't train
    std::uint64_t decodeNodes = 0;
    std::uint64_t kvNics = 0;     ///< NICs that carry nothing but KV caches
    double decodeStepSeconds = 0; ///< time in which a decode node's GPUs read the weights together
    double decodeTokenSeconds = 0; ///< time in which they read the KV cache of a token
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
    /// network. That of one data centre counts the data centre's nodes, then its decode nodes.
    struct Route
    {
        MessageLayer* layer = nullptr;
        NodeIndex source = 0;
        NodeIndex destination = 0;
    };

    void AddOwnNetworks(const FilledTraining& training);

    MessageLayer& m_training;
    const InferenceSection& m_inference;
    std::deque<PacketNetwork> m_ownPackets;    ///< by data centre, over packets
    std::deque<AnalyticNetwork> m_ownAnalytic; ///< by data centre, without packets
    std::deque<MessageLayer> m_ownLayers;      ///< by data centre
    std::vector<Route> m_routes; ///< by node, as the run counts nodes
    Bytes m_delivered;
    Bytes m_deliveredActivations;
};

} // namespace geotrain
