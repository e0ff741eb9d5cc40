// SPDX-License-Identifier: GPL-2.0-only
// Resolves how replicas that don't keep the whole model share it: by ZeRO-3's collectives, or by an
// in-network optimizer, whose settings a scenario's `in_network` has.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Throws ConfigError where replicas don't keep the whole model, for which no plan is made.
void RequireReplicated(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Sets the plan's data parallelism, and fills in its fields.
void ResolveDataParallelism(scenario::Scenario& scenario, TrainingPlan& plan);

/// Fills in the fields that depend on the data centre, and sets the in-network optimizer of a plan
/// that has one. Adds to `warnings` what to look at before trusting a result. Throws ConfigError.
void ResolveInNetwork(scenario::Scenario& scenario,
                      TrainingSpec& spec,
                      std::vector<std::string>& warnings,
                      const ScenarioFile& file);

} // namespace geotrain
