// SPDX-License-Identifier: GPL-2.0-only
// Refuses what data parallelism without whole replicas, or an in-network optimizer, cannot be. Each
// check throws ConfigError.
#pragma once

#include "in-network/in-network-settings.h"
#include "loader/in-network-wan.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

namespace geotrain
{

/// Returns whether each replica keeps the whole model.
bool IsReplicated(const scenario::Scenario& scenario);

bool IsInNetwork(const scenario::Scenario& scenario);

/// Returns whether the switch sends sums back to the replicas, and there is no server.
bool IsInSwitch(const scenario::InNetwork& written);

/// Refuses what a switch that sends sums back doesn't reduce.
void CheckSwitchShape(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Refuses fields of sharded data parallelism that nothing would use.
void CheckLayeredFields(const scenario::Parallelism& parallelism, const ScenarioFile& file);

/// Refuses an unknown algorithm of collectives, and one that nothing would use.
void CheckCollective(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Refuses what needs replicas of the whole model, or pipelines.
void CheckLayeredShape(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Refuses baselines that know one data centre alone, and a buffer that nothing would use.
void CheckBetweenDataCentres(const scenario::InNetwork& written,
                             const InNetworkLayout& layout,
                             const ScenarioFile& file);

} // namespace geotrain
