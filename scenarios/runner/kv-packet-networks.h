// SPDX-License-Identifier: GPL-2.0-only
// NICs of their own for KV caches, over packets: beside each data centre of the run a second
// switch, to which every node is joined by a second NIC of the same rate and delay, and each decode
// node by its only one. They share simulated time with training's network, and no link, node or
// connection.
#pragma once

#include "execution/message-layer.h"
#include "loader/scenario-loader.h"
#include "runner/packet-network.h"

#include <deque>
#include <vector>

namespace geotrain
{

class KvPacketNetworks
{
  public:
    /// After training's network has been made. The scenario has an inference section.
    explicit KvPacketNetworks(const LoadedScenario& scenario);

    /// Of a data centre: its nodes from 0 on, then its decode nodes.
    MessageLayer& Of(std::size_t dataCenter);

    /// Sent so far on all links.
    std::uint64_t Packets() const;

    /// Ends the program with a message if bytes were lost or carried twice.
    void CheckConservation() const;

  private:
    std::vector<PacketNetwork> m_sites;
    std::deque<MessageLayer> m_layers; ///< by site
};

} // namespace geotrain
