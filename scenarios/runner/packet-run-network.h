// The packet-level network of a scenario: ns-3 nodes and links of its WAN, TCP over them, and samples of both
// for the trace. One a process, since ns-3's simulator is global.
#pragma once

#include "runner/run-network.h"
#include "training-network/helper/training-network-helper.h"
#include "training-network/model/training-network.h"
#include "wan-topology/helper/built-wan.h"

namespace geotrain
{

/// What the scenario says of TCP.
ns3::TrainingNetworkHelper TransportOf(const LoadedScenario& scenario);

class PacketRunNetwork : public RunNetwork
{
  public:
    /// Throws ConfigError.
    explicit PacketRunNetwork(const LoadedScenario& scenario);
    ~PacketRunNetwork() override;

    Network& Get() override;
    void RecordSamples(TraceWriter& writer) override;
    void CheckConservation() const override;

  private:
    void OnFlowSample(const ns3::FlowSample& sample);
    void OnLinkSample(const ns3::LinkSample& sample);

    ns3::BuiltWan m_wan;
    ns3::Ptr<ns3::TrainingNetwork> m_network;
    TraceWriter* m_writer = nullptr;
};

} // namespace geotrain
