// SPDX-License-Identifier: GPL-2.0-only
// Makes the analytic network of a scenario. NICs, caps and links become resources that messages
// share; connections and windows become limits per node pair.
#pragma once

#include "analytic/analytic-transport.h"
#include "loader/scenario-loader.h"
#include "runner/run-plan.h"

#include <memory>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns a text for each setting of the scenario that the analytic network ignores, such as
/// loss, policing and queue discs.
std::vector<std::string> UnknownToAnalyticNetwork(const LoadedScenario& scenario);

/// Makes the network of `scenario` for the node pairs of `plan`.
std::unique_ptr<Network> MakeAnalyticNetwork(const LoadedScenario& scenario, const PlanStreams& plan);

} // namespace geotrain
