// SPDX-License-Identifier: GPL-2.0-only
// Makes the analytic network of a scenario. NICs, caps and links become resources that messages
// share; connections and windows become limits per node pair.
#pragma once

#include "analytic/analytic-transport.h"
#include "loader/scenario-loader.h"
#include "runner/run-plan.h"

#include <memory>

namespace geotrain
{

/// Throws ConfigError where links lose packets at random and the congestion control has no model of
/// its response on the analytic network.
void RefuseLossesWithoutModel(const LoadedScenario& scenario);

std::unique_ptr<Network> MakeAnalyticNetwork(const LoadedScenario& scenario,
                                             const PlanStreams& plan);

} // namespace geotrain
