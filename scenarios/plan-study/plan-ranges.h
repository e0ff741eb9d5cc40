// SPDX-License-Identifier: GPL-2.0-only
// Gives the ranges that a planner searches for a scenario. The planner takes job and cluster from
// the scenario directly.
#pragma once

#include "loader/scenario-loader.h"
#include "planner/plan-space.h"

namespace geotrain
{

/// Returns the ranges of `scenario`, which must come from LoadForPlanning(). Ranges that it leaves
/// open are those of DefaultPlanSpace(). The scenario's own plan is given too, where its ranges hold
/// it.
PlanSpace PlanSpaceOf(const PlanningScenario& scenario);

} // namespace geotrain
