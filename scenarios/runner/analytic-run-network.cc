// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-run-network.h"

namespace geotrain
{

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    AnalyticTransport transport = scenario.cluster.transport;
    transport.seed = scenario.run.seed;
    return std::make_unique<AnalyticNetwork>(
        MakeAnalyticTopology(scenario.cluster.wan, transport, plan.pairs));
}

} // namespace geotrain
