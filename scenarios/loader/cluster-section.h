// SPDX-License-Identifier: GPL-2.0-only
// Resolves the machines of a scenario: its data centres' GPUs and prices, its WAN, and the
// transport that carries messages.
#pragma once

#include "loader/scenario-file.h"
#include "loader/scenario-text.h"
#include "loader/schema-types.h"
#include "training-plan/cluster.h"

#include <vector>

namespace geotrain
{

/// Throws ConfigError where a data centre names GPUs that there are not. A transfer uses none.
void CheckGpuNames(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Returns the GPUs that the scenario of `text` may name: the catalogue's, and those of its gpu_type.
/// The rest of the scenario is not checked. Throws ConfigError.
std::vector<GpuSpec> GpusKnownTo(const ScenarioText& text);

/// Makes the cluster. `wan` must come from ResolveNetwork(). Throws ConfigError for a GPU that
/// isn't set or isn't known.
Cluster ResolveCluster(const scenario::Scenario& scenario,
                       const WanTopology& wan,
                       const ScenarioFile& file);

/// Returns the transport as the analytic network has it.
AnalyticTransport AnalyticTransportOf(const scenario::Scenario& scenario);

/// Throws ConfigError for a price that belongs to no data centre.
void CheckPrices(const scenario::Scenario& scenario, const ScenarioFile& file);

/// Sets each data centre's prices, which are those of its region or of its name. Throws ConfigError
/// for a price that belongs to no data centre.
void SetPrices(const scenario::Scenario& scenario, const ScenarioFile& file, Cluster& cluster);

} // namespace geotrain
