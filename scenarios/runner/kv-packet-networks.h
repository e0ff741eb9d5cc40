// SPDX-License-Identifier: GPL-2.0-only
// Simulates separate NICs for KV caches over packets. Each data centre of the run has a second
// switch. A second NIC of the same rate and delay connects every node to it, and every decode node
// has its only NIC there. These networks share simulated time with training's network, but no link,
// node or connection.
#pragma once

#include "execution/message-layer.h"
#include "loader/experiment.h"
#include "runner/packet-network.h"

#include <deque>
#include <vector>

namespace geotrain
{

/// KvPacketNetworks holds one network per data centre.
class KvPacketNetworks
{
  public:
    /// Makes the networks; training's network must have been made before. The job must have an inference
    /// section.
    KvPacketNetworks(const Experiment& experiment, const TrainingSpec& spec);

    /// Returns the messages of a data centre's network, which counts the data centre's nodes from 0
    /// on, then its decode nodes.
    MessageLayer& Of(std::size_t dataCenter);

    /// Returns the packets sent so far on all links.
    std::uint64_t Packets() const;

    /// Ends the program with a message if bytes were lost or carried twice.
    void CheckConservation() const;

  private:
    std::vector<PacketNetwork> m_sites;
    std::deque<MessageLayer> m_layers; ///< by site
};

} // namespace geotrain
