// SPDX-License-Identifier: GPL-2.0-only
// Simulates the packet-level network of a scenario: nodes and links of its WAN, TCP over them, and
// samples of both for the trace. A process can have only one, since ns-3's simulator is global.
#pragma once

#include "runner/cross-traffic.h"
#include "runner/packet-network.h"
#include "runner/packet-recorder.h"
#include "runner/run-network.h"

namespace geotrain
{

/// PacketRunNetwork is the network of a run over packets. Its constructors throw ConfigError where
/// the bearer can't make the topology.
class PacketRunNetwork : public RunNetwork
{
  public:
    /// Makes the network with the scenario's transport.
    explicit PacketRunNetwork(const LoadedScenario& scenario);

    /// Makes the network of a scenario with other settings of the transport.
    PacketRunNetwork(const LoadedScenario& scenario, const PacketNetworkSettings& settings);

    /// Makes the network of a topology. Errors name `file`.
    PacketRunNetwork(const WanTopology& topology,
                     const PacketNetworkSettings& settings,
                     const std::string& file);
    ~PacketRunNetwork() override;

    Network& Get() override;
    void Begin(const LoadedScenario& scenario, TraceWriter& writer) override;
    void CheckConservation() const override;
    std::string Doubt() override;

    /// Makes the present time 0; see TrainingNetwork::CountFromNow().
    void CountFromNow();

    /// Adds a second network on the same links; see PacketNetwork::AddRival().
    Network& AddRival(const PacketNetworkSettings& settings);

    const ns3::WanLinks& Links() const;
    ns3::Bearer& GetBearer() const;

    /// Writes a sample of a link into the trace, as is done for each sample of the network itself.
    /// Begin() must come before.
    void WriteLinkSample(const ns3::LinkSample& sample);

  private:
    void RecordSamples(TraceWriter& writer);
    void BeginCrossTraffic(const LoadedScenario& scenario);
    void OnFlowSample(const ns3::FlowSample& sample);

    std::unique_ptr<PacketNetwork> m_network;
    std::unique_ptr<CrossTraffic> m_crossTraffic;
    std::vector<std::unique_ptr<PacketRecorder>> m_recorders; ///< of run.packet_trace
    TraceWriter* m_writer = nullptr;
};

} // namespace geotrain
