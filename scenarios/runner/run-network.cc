// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-network.h"

#include "analytic/analytic-network.h"
#include "runner/analytic-run-network.h"
#include "runner/packet-run-network.h"
#include "training-network/model/training-network.h"
#include "units/config-error.h"

#include <algorithm>
#include <map>
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

using Maker = std::unique_ptr<RunNetwork> (*)(const LoadedScenario&, const PlanStreams&);

std::unique_ptr<RunNetwork>
MakeOfPackets(const LoadedScenario& scenario, const PlanStreams& /*plan*/)
{
    return std::make_unique<PacketRunNetwork>(scenario);
}

/// Refuses losses to which the windows of the analytic network have no response.
void
RefuseLossesWithoutModel(const LoadedScenario& scenario, const NetworkKind& kind)
{
    const auto& links = scenario.cluster.wan.links;
    const std::string& control = scenario.transport.congestionControl;
    const bool loses =
        std::any_of(links.begin(), links.end(), [](const auto& link) { return link.lossRate > 0; });
    if (loses && kind.ignores("transport.congestion_control", control))
    {
        throw ConfigError("",
                          "transport.congestion_control",
                          control,
                          "has no model of its response to wan_link.loss on the analytic network: "
                          "run it over packets");
    }
}

std::unique_ptr<RunNetwork>
MakeAnalytic(const LoadedScenario& scenario, const PlanStreams& plan)
{
    RefuseLossesWithoutModel(scenario, AnalyticNetwork::StaticKind());
    return std::make_unique<AnalyticRunNetwork>(MakeAnalyticNetwork(scenario, plan));
}

/// How each of NetworkKinds() is made.
const std::map<const NetworkKind*, Maker>&
Makers()
{
    static const std::map<const NetworkKind*, Maker> makers{
        {&ns3::TrainingNetwork::StaticKind(), &MakeOfPackets},
        {&AnalyticNetwork::StaticKind(), &MakeAnalytic}};
    return makers;
}

} // namespace

std::unique_ptr<RunNetwork>
MakeRunNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    return Makers().at(scenario.run.network)(scenario, plan);
}

} // namespace geotrain
