// SPDX-License-Identifier: GPL-2.0-only
// Resolves how replicas that don't keep the whole model share it: by ZeRO-3's collectives, or by an
// in-network optimizer, whose settings a scenario's `in_network` has.
#pragma once

#include "in-network/in-network-settings.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-plan/prepare-plan.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// An InNetworkSection is the in-network optimizer of a plan.
struct InNetworkSection
{
    InNetworkClusterSettings servers;  ///< the servers' data centre
    std::optional<InNetworkWan> wan;   ///< where replicas are in others too
    std::vector<std::string> warnings; ///< what to look at before trusting a result
};

/// Adds `in_network` where the scenario needs it, so that its defaults get filled in. Throws
/// ConfigError where it is there without need.
void AddInNetwork(scenario::Scenario& scenario, const ScenarioFile& file);

/// Throws ConfigError where replicas don't keep the whole model; `who` begins the rule: "a plan is
/// made for".
void RequireReplicated(const scenario::Scenario& scenario,
                       const ScenarioFile& file,
                       const std::string& who);

/// Sets the plan's data parallelism, and fills in its fields. Throws ConfigError where the shape has
/// several stages, or anything else that needs replicas of the whole model.
void
ResolveDataParallelism(scenario::Scenario& scenario, TrainingPlan& plan, const ScenarioFile& file);

/// Fills in the fields that depend on the data centre, and returns the in-network optimizer of a plan
/// that has one. Throws ConfigError.
InNetworkSection ResolveInNetwork(scenario::Scenario& scenario,
                                  const Placement& placement,
                                  const Cluster& cluster,
                                  const ScenarioFile& file);

} // namespace geotrain
