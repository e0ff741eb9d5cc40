// SPDX-License-Identifier: GPL-2.0-only
// The loader: from a scenario's text to everything that a run needs, all of it checked.
#pragma once

#include "loader/assignment.h"
#include "loader/cross-traffic-section.h"
#include "loader/fill-section.h"
#include "loader/inference-section.h"
#include "loader/run-settings.h"
#include "loader/scenario-text.h"
#include "loader/training-section.h"
#include "loader/transfer-section.h"
#include "wan/wan-topology.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct LoadedScenario
{
    std::string file; ///< as errors name it
    /// Every default is filled in; loading its text gives it again. To be printed, not to be read.
    std::shared_ptr<const scenario::Scenario> resolved;
    TrainingJob job;
    Cluster cluster;       ///< a transfer's has a WAN and no GPUs
    TrainingPlan plan;     ///< for planning, a shape without hosts
    PlanRanges planRanges; ///< for planning
    PreparedPlan training;
    FillSection fill;
    std::optional<InferenceSection> inference;
    std::vector<CrossTrafficPair> crossTraffic;
    RunSettings run;
    TransportSettings transport;
    std::vector<std::string> linkQueues;     ///< by WAN link, as written
    std::optional<TransferSection> transfer; ///< then there is no job and no plan
};

/// The scenario of `text` after `assignments` are made in their order; nothing else is checked.
/// Throws ConfigError.
scenario::Scenario ReadScenario(const ScenarioText& text,
                                const std::vector<Assignment>& assignments);

/// Throws ConfigError where the schema has not what `assignments` set.
void CheckAssignments(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// The scenario's name, or that of its file; nothing else is checked. Throws ConfigError.
std::string NameOf(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// The seed that the scenario would run with; nothing else is checked. Throws ConfigError.
std::int64_t SeedOf(const ScenarioText& text, const std::vector<Assignment>& assignments);

/// The same, resolved and checked, but for how the model is spread over the GPUs, and with prices:
/// there is no `training`. What a planner starts from. Throws ConfigError, for a scenario without
/// training too.
LoadedScenario LoadForPlanning(const ScenarioText& text,
                               const std::vector<Assignment>& assignments = {});

/// All of it, resolved and checked. Throws ConfigError.
LoadedScenario LoadScenario(const ScenarioText& text,
                            const std::vector<Assignment>& assignments = {});

} // namespace geotrain
