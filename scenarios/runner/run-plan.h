// SPDX-License-Identifier: GPL-2.0-only
// Makes what a run of a scenario executes: the instruction streams of its plan for all iterations.
#pragma once

#include "loader/scenario-loader.h"
#include "training-plan/plan-streams.h"

namespace geotrain
{

/// Makes the streams. Warm-up iterations come first, then the measured ones. Without flush more
/// iterations follow, so that the pipeline does not drain during the measured ones. Throws
/// ConfigError where the plan can't be streamed.
PlanStreams MakeRunPlan(const LoadedScenario& scenario);

} // namespace geotrain
