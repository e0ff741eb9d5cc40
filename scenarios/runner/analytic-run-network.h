// SPDX-License-Identifier: GPL-2.0-only
// The analytic network of a scenario: its NICs, caps and links as resources that messages share,
// its connections and windows as limits of each node pair.
#pragma once

#include "analytic/analytic-transport.h"
#include "loader/scenario-loader.h"
#include "runner/run-plan.h"

#include <memory>

namespace geotrain
{

std::unique_ptr<Network> MakeAnalyticNetwork(const LoadedScenario& scenario,
                                             const PlanStreams& plan);

} // namespace geotrain
