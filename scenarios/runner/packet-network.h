// SPDX-License-Identifier: GPL-2.0-only
// The links of a topology as a bearer makes them, and TCP messages over them.
#pragma once

#include "loader/scenario-loader.h"
#include "training-network/helper/bearer.h"
#include "training-network/model/training-network.h"

#include <cstdint>
#include <memory>
#include <string>

namespace geotrain
{

/// What carries messages over a topology.
struct PacketNetworkSettings
{
    std::string bearer = "express"; ///< of ns3::BearerKinds()
    std::string congestionControl;  ///< TypeId
    Bytes window;                   ///< of a connection
    std::uint32_t wanConnections = 1;
    std::uint32_t intraDcConnections = 1;
    bool slowStartAfterIdle = true; ///< of bulk-tcp
    bool ecn = false;               ///< of bulk-tcp
    ns3::BulkTcpOverrides tcp;      ///< of bulk-tcp
    std::uint32_t seed = 1;
};

PacketNetworkSettings SettingsOf(const LoadedScenario& scenario);

class PacketNetwork
{
  public:
    /// `file` is named by errors. Throws ConfigError.
    PacketNetwork(const WanTopology& topology,
                  const PacketNetworkSettings& settings,
                  const std::string& file);

    ns3::TrainingNetwork& Get() const;

    /// A second network on the same links, with connections of its own, where the bearer has
    /// ns3::BearerFeature::Rival. Once; it must not be prepared after the first one.
    ns3::TrainingNetwork& AddRival(const PacketNetworkSettings& settings);

    ns3::Bearer& GetBearer() const;

    /// Sent so far inside data centres.
    std::uint64_t IntraDcPackets() const;

  private:
    std::unique_ptr<ns3::Bearer> m_bearer; ///< outlives the networks
    ns3::Ptr<ns3::TrainingNetwork> m_network;
    ns3::Ptr<ns3::TrainingNetwork> m_rival;
};

} // namespace geotrain
