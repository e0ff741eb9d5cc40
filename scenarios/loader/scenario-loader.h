// SPDX-License-Identifier: GPL-2.0-only
// Turns a scenario's text into everything that a run needs, and checks all of it.
#pragma once

#include "loader/assignment.h"
#include "loader/experiment.h"
#include "loader/scenario-text.h"
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

/// Returns the scenario of `text` after `assignments` are made in their order; nothing else is
/// checked. Throws ConfigError.
scenario::Scenario ReadScenario(const ScenarioText& text,
                                const std::vector<Assignment>& assignments);

/// Throws ConfigError where `assignments` set a field that the schema does not have, or a value
/// that the field cannot hold.
void CheckAssignments(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// Returns the scenario's name, or that of its file; nothing else is checked. Throws ConfigError.
std::string NameOf(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// Returns the seed that the scenario would run with; nothing else is checked. Throws ConfigError.
std::int64_t SeedOf(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// Returns the resolved scenario's text as a folder of results keeps it: below its head comment.
std::string ResolvedText(const Provenance& provenance);

/// Loads a scenario for a planner: resolved and checked with its prices, but without deciding how
/// the model is spread over the GPUs. Throws ConfigError, also for a scenario with a transfer.
PlanningScenario LoadForPlanning(const ScenarioText& text,
                                 const std::vector<Assignment>& assignments = {});

/// Loads a scenario for a run: resolves and checks all of it. Throws ConfigError.
Experiment LoadScenario(const ScenarioText& text, const std::vector<Assignment>& assignments = {});

} // namespace geotrain
