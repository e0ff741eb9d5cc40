// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-network.h"

#include "runner/analytic-run-network.h"
#include "runner/packet-run-network.h"

#include <utility>

namespace geotrain
{

namespace
{

/// AnalyticRunNetwork is the network of a run without packets.
class AnalyticRunNetwork : public RunNetwork
{
  public:
    explicit AnalyticRunNetwork(std::unique_ptr<Network> network)
        : m_network(std::move(network))
    {
    }

    Network& Get() override
    {
        return *m_network;
    }

  private:
    std::unique_ptr<Network> m_network;
};

} // namespace

std::unique_ptr<RunNetwork>
MakeRunNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    if (scenario.run.IsPacketLevel())
    {
        return std::make_unique<PacketRunNetwork>(scenario);
    }
    return std::make_unique<AnalyticRunNetwork>(MakeAnalyticNetwork(scenario, plan));
}

} // namespace geotrain
