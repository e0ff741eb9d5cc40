// SPDX-License-Identifier: GPL-2.0-only
// Writes a plan as a scenario for `geotrain run`.
#pragma once

#include "loader/scenario-loader.h"
#include "training-plan/training-plan.h"

#include <string>

namespace geotrain
{

/// The text of `scenario` with the plan's parallelism, microbatches, schedule and sharing; its data centres
/// come in the order of the stages, each with the number that it hosts (0: left out). Variants and
/// the plan's ranges are dropped.
std::string
ScenarioOfPlan(const LoadedScenario& scenario, const TrainingPlan& plan, const std::string& name);

} // namespace geotrain
