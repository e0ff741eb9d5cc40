// SPDX-License-Identifier: GPL-2.0-only
// Turns a scenario's text into everything that a run needs, and checks all of it.
#pragma once

#include "loader/assignment.h"
#include "loader/control-library.h"
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

/// A LoadedScenario is a scenario with all of its sections resolved.
struct LoadedScenario
{
    std::string file; ///< name of the file in error messages
    /// Every default is filled in; loading its text gives it again. To be printed, not to be read.
    std::shared_ptr<const scenario::Scenario> resolved;
    std::string headComment; ///< lines of comment at the top of its text: the question it answers
    std::vector<std::string> warnings; ///< what to look at before trusting the result
    TrainingJob job;
    Cluster cluster;       ///< in a scenario with a transfer, a WAN without GPUs
    TrainingPlan plan;     ///< for planning, a shape without hosts
    PlanRanges planRanges; ///< set for planning only
    /// The scenario's own plan, set for planning only, and where the scenario can run.
    std::optional<TrainingPlan> ownPlan;
    PreparedPlan training;                                  ///< not set for planning
    std::optional<ns3::InNetworkClusterSettings> inNetwork; ///< where parameters come from one
    std::optional<ns3::InNetworkWan> inNetworkWan;          ///< where it is in several data centres
    FillSection fill;
    std::optional<InferenceSection> inference;
    std::vector<CrossTrafficPair> crossTraffic;
    RunSettings run;
    std::vector<ControlLibrary> libraries; ///< of run.load and --load
    TransportSettings transport;
    std::vector<std::string> linkQueues;     ///< queue of each WAN link, as the scenario writes it
    std::optional<TransferSection> transfer; ///< where it is set, there is no job and no plan
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
std::string ResolvedText(const LoadedScenario& scenario);

/// Loads a scenario for a planner: resolved and checked with its prices, but without deciding how
/// the model is spread over the GPUs. Throws ConfigError, also for a scenario with a transfer.
LoadedScenario LoadForPlanning(const ScenarioText& text,
                               const std::vector<Assignment>& assignments = {});

/// Loads a scenario for a run: resolves and checks all of it. Throws ConfigError.
LoadedScenario LoadScenario(const ScenarioText& text,
                            const std::vector<Assignment>& assignments = {});

} // namespace geotrain
