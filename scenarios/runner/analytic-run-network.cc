// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-run-network.h"

#include "analytic/analytic-network.h"
#include "units/config-error.h"

#include <algorithm>

namespace geotrain
{

void
RefuseLossesWithoutModel(const LoadedScenario& scenario)
{
    const auto& links = scenario.cluster.wan.links;
    const std::string& control = scenario.transport.congestionControl;
    const bool loses =
        std::any_of(links.begin(), links.end(), [](const auto& link) { return link.lossRate > 0; });
    if (loses && AnalyticNetwork::StaticKind().ignores("transport.congestion_control", control))
    {
        throw ConfigError("",
                          "transport.congestion_control",
                          control,
                          "has no model of its response to wan_link.loss on the analytic network: "
                          "run it over packets");
    }
}

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    AnalyticTransport transport = scenario.cluster.transport;
    transport.seed = scenario.run.seed;
    return std::make_unique<AnalyticNetwork>(
        MakeAnalyticTopology(scenario.cluster.wan, transport, plan.pairs));
}

} // namespace geotrain
