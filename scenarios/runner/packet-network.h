// SPDX-License-Identifier: GPL-2.0-only
// Makes the links of a topology by a bearer, and TCP connections over them.
#pragma once

#include "loader/experiment.h"
#include "training-network/helper/bearer-kinds.h"
#include "training-network/model/training-network.h"

#include <cstdint>
#include <memory>
#include <string>

namespace geotrain
{

/// Returns the connections of an experiment's network. Cold messages have connections of their own
/// each.
TransportSettings TransportOf(const Experiment& experiment);

/// A PacketSimulator is ns-3's simulator for as long as there are packet networks. A process can have
/// only one at a time.
class PacketSimulator
{
  public:
    explicit PacketSimulator(std::uint32_t seed);
    ~PacketSimulator();
    PacketSimulator(const PacketSimulator&) = delete;
    PacketSimulator& operator=(const PacketSimulator&) = delete;
};

/// PacketNetwork is the packet-level network over a topology.
class PacketNetwork
{
  public:
    /// Makes the links and connections. Throws ConfigError, which names `file`, where the bearer
    /// can't make them.
    PacketNetwork(const WanTopology& topology,
                  const TransportSettings& transport,
                  const std::string& file);

    ns3::TrainingNetwork& Get() const;

    /// Adds a second network with connections of its own on the same links. The bearer must have
    /// ns3::BearerFeature::Rival. It may be called once, and the second network must be prepared
    /// before the first.
    ns3::TrainingNetwork& AddRival(const TransportSettings& transport);

    ns3::Bearer& GetBearer() const;

    /// Returns the packets sent so far inside data centres.
    std::uint64_t IntraDcPackets() const;

  private:
    std::unique_ptr<ns3::Bearer> m_bearer; ///< must outlive the networks
    ns3::Ptr<ns3::TrainingNetwork> m_network;
    ns3::Ptr<ns3::TrainingNetwork> m_rival;
};

} // namespace geotrain
