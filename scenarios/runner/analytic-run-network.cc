// SPDX-License-Identifier: GPL-2.0-only
#include "runner/analytic-run-network.h"

namespace geotrain
{

std::unique_ptr<Network>
MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan)
{
    return std::make_unique<AnalyticNetwork>(
        MakeAnalyticTopology(scenario.cluster.wan, scenario.cluster.transport, plan.pairs));
}

} // namespace geotrain
