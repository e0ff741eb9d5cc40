// SPDX-License-Identifier: GPL-2.0-only
// The packet-level network of a scenario: ns-3 nodes and links of its WAN, TCP over them, and
// samples of both for the trace. One a process, since ns-3's simulator is global.
#pragma once

#include "runner/cross-traffic.h"
#include "runner/packet-network.h"
#include "runner/run-network.h"

namespace geotrain
{

class PacketRunNetwork : public RunNetwork
{
  public:
    /// Throws ConfigError.
    explicit PacketRunNetwork(const LoadedScenario& scenario);

    /// The same with other settings of the transport.
    PacketRunNetwork(const LoadedScenario& scenario, const PacketNetworkSettings& settings);

    /// `file` is named by errors.
    PacketRunNetwork(const WanTopology& topology,
                     const PacketNetworkSettings& settings,
                     const std::string& file);
    ~PacketRunNetwork() override;

    Network& Get() override;
    void Begin(const LoadedScenario& scenario, TraceWriter& writer) override;
    void CheckConservation() const override;

    /// As in PacketNetwork.
    Network& AddRival(const PacketNetworkSettings& settings);

    const ns3::WanLinks& Links() const;

  private:
    void RecordSamples(TraceWriter& writer);
    void BeginCrossTraffic(const LoadedScenario& scenario);
    void OnFlowSample(const ns3::FlowSample& sample);
    void OnLinkSample(const ns3::LinkSample& sample);

    std::unique_ptr<PacketNetwork> m_network;
    std::unique_ptr<CrossTraffic> m_crossTraffic;
    TraceWriter* m_writer = nullptr;
};

} // namespace geotrain
