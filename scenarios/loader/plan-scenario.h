// SPDX-License-Identifier: GPL-2.0-only
// Writes a plan as a scenario for `geotrain run`.
#pragma once

#include "loader/scenario-loader.h"
#include "training-plan/training-plan.h"

#include <string>

namespace geotrain
{

/// Returns the text of `scenario` with the plan's parallelism, microbatches, schedule and sharing.
/// Its data centres are in the order of the stages, each with the number of stages or replicas that
/// it hosts; data centres that host none come last. Variants, expected values and the plan's ranges
/// are dropped.
std::string
ScenarioOfPlan(const PlanningScenario& scenario, const TrainingPlan& plan, const std::string& name);

/// Sets a field of the scenario as its plans are written, by its path and value as --set has them.
void SetWritten(PlanningScenario& scenario, const std::string& path, const std::string& value);

} // namespace geotrain
