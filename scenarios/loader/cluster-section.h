// SPDX-License-Identifier: GPL-2.0-only
// The machines of a scenario: its data centres' GPUs and prices on its WAN, and the transport that
// carries messages.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-plan/cluster.h"

namespace geotrain
{

/// `wan` is what ResolveNetwork() made of the scenario. Throws ConfigError for a GPU that isn't set
/// or isn't known.
Cluster ResolveCluster(const scenario::Scenario& scenario,
                       const WanTopology& wan,
                       const ScenarioFile& file);

/// Prices are those of a data centre's region, or of its name. Throws ConfigError for a price that
/// belongs to nobody.
void SetPrices(const scenario::Scenario& scenario, const ScenarioFile& file, Cluster& cluster);

} // namespace geotrain
