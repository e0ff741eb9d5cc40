// ns-3 nodes and links of a topology, or light links, as the bearer says, and TCP messages over them.
#pragma once

#include "bulk-tcp/helper/express-wan.h"
#include "loader/scenario-loader.h"
#include "training-network/model/training-network.h"
#include "wan-topology/helper/built-wan.h"

#include <cstdint>
#include <memory>
#include <string>

namespace geotrain
{

/// What carries messages over a topology.
struct PacketNetworkSettings
{
    scenario::Bearer bearer = scenario::EXPRESS;
    std::string congestionControl; ///< TypeId
    Bytes window;                  ///< of a connection
    std::uint32_t wanConnections = 1;
    std::uint32_t intraDcConnections = 1;
    bool slowStartAfterIdle = true; ///< EXPRESS, DEVICE
    bool ecn = false;               ///< EXPRESS, DEVICE
    ns3::BulkTcpOverrides tcp;      ///< EXPRESS, DEVICE
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

    /// A second network on the same links, with connections of its own. EXPRESS, once; it must not be prepared after
    /// the first one.
    ns3::TrainingNetwork& AddRival(const PacketNetworkSettings& settings);

    const ns3::WanLinks& Links() const;

    /// Rate steps and outages of links are counted from now on.
    void BeginSchedules();

    /// The light links; none on another bearer.
    ns3::ExpressWan* Express() const;

    /// Sent so far inside data centres.
    std::uint64_t IntraDcPackets() const;

  private:
    std::unique_ptr<ns3::BuiltWan> m_built;     ///< DEVICE, STOCK; outlives the network
    std::unique_ptr<ns3::ExpressWan> m_express; ///< EXPRESS; outlives the network
    ns3::Ptr<ns3::TrainingNetwork> m_network;
    ns3::Ptr<ns3::TrainingNetwork> m_rival;
};

} // namespace geotrain
