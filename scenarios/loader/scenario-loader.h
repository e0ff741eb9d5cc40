// SPDX-License-Identifier: GPL-2.0-only
// Turns a scenario's text into everything that a run needs, and checks all of it.
#pragma once

#include "loader/read-scenario.h"
#include "loader/training-section.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A PlanningScenario is a scenario for a planner, which has yet to decide how the model is spread.
struct PlanningScenario
{
    Provenance provenance;
    std::vector<std::string> warnings; ///< what to look at before trusting the result
    TrainingJob job;
    Cluster cluster;
    TrainingPlan plan; ///< a shape without hosts
    PlanRanges planRanges;
    std::optional<TrainingPlan> ownPlan; ///< the scenario's own, where the scenario can run
    TransportSettings transport;
    RunSettings run;
};

/// Loads a scenario for a planner: resolved and checked with its prices, but without deciding how
/// the model is spread over the GPUs. Throws ConfigError, also for a scenario with a transfer.
PlanningScenario LoadForPlanning(const ScenarioText& text,
                                 const std::vector<Assignment>& assignments = {});

/// Loads a scenario for a run: resolves and checks all of it. Throws ConfigError.
Experiment LoadScenario(const ScenarioText& text, const std::vector<Assignment>& assignments = {});

} // namespace geotrain
