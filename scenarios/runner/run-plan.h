// SPDX-License-Identifier: GPL-2.0-only
// What a run of a scenario executes: the streams of its plan for all iterations of the run.
#pragma once

#include "loader/scenario-loader.h"
#include "training-plan/plan-streams.h"

namespace geotrain
{

/// Warm-up iterations come first, then the measured ones; where there is no flush some more follow,
/// so that these don't see the pipeline drain. Throws ConfigError.
PlanStreams MakeRunPlan(const LoadedScenario& scenario);

} // namespace geotrain
