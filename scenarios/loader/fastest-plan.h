// SPDX-License-Identifier: GPL-2.0-only
// Prepares the plan that runs for the one that a scenario asks for, and says where they differ.
#pragma once

#include "loader/scenario-file.h"
#include "planner/schedule-trial.h"
#include "training-plan/prepare-plan.h"

#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns what a trial says, or what an equal one has said.
using Trials = std::function<TriedPlan(const std::function<TriedPlan()>& trial)>;

/// Prepares `plan` with the memory cap, or with the plain schedule in its memory, that is fastest
/// (planner/schedule-trial.h); it then has it. Adds a warning where its schedule, its cap or its
/// schedule's order is not the one that was asked for. Throws ConfigError.
PreparedPlan PrepareFastest(const TrainingJob& job,
                            const Cluster& cluster,
                            const ScenarioFile& file,
                            const Trials& trials,
                            TrainingPlan& plan,
                            std::vector<std::string>& warnings);

} // namespace geotrain
