// SPDX-License-Identifier: GPL-2.0-only
// Resolves the network: imports a topology, puts data centres on its sites, turns regions and
// coordinates into delays, and makes the WanTopology of which networks are built.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "wan/wan-topology.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Makes the topology. Its sites are the data centres in their order, then the transit sites. In
/// `scenario` an imported topology becomes transit sites and links, and every link gets a delay.
/// What an importer guessed or did not read is added to `warnings`. Throws ConfigError.
WanTopology ResolveNetwork(scenario::Scenario& scenario,
                           const ScenarioFile& file,
                           std::vector<std::string>& warnings);

/// Returns the number of a site. Throws ConfigError that names `file` and `field`.
std::uint32_t SiteNamed(const WanTopology& topology,
                        const std::string& name,
                        const std::string& field,
                        const ScenarioFile& file);

/// Returns the number of a data centre. Throws ConfigError that names `file` and `field`.
std::uint32_t DataCenterNamed(const WanTopology& topology,
                              const std::string& name,
                              const std::string& field,
                              const ScenarioFile& file);

} // namespace geotrain
