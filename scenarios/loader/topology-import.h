// SPDX-License-Identifier: GPL-2.0-only
// Writes an imported topology (Topology Zoo GML or GraphML, node-link JSON, matrices) into the
// scenario. Its nodes become transit sites and its edges links, so that the scenario doesn't need
// the file.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Adds the sites and links of `scenario.topology_import` and clears that field. Returns what the
/// importer guessed, and what it did not read. Throws ConfigError.
std::vector<std::string> ImportInto(scenario::Scenario& scenario, const ScenarioFile& file);

} // namespace geotrain
