// SPDX-License-Identifier: GPL-2.0-only
// The ranges that a planner searches for a scenario. Its job and its cluster are the scenario's as
// they are.
#pragma once

#include "loader/scenario-loader.h"
#include "planner/plan-space.h"

namespace geotrain
{

/// `scenario` is what LoadForPlanning() gives. What it doesn't write is DefaultPlanSpace()'s.
PlanSpace PlanSpaceOf(const LoadedScenario& scenario);

} // namespace geotrain
