// SPDX-License-Identifier: GPL-2.0-only
// Writes an imported topology (Topology Zoo GML or GraphML, node-link JSON) into the scenario. Its
// nodes become transit sites and its edges links, so that the scenario doesn't need the file.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"

namespace geotrain
{

/// Adds the sites and links of `scenario.topology_import` and clears that field. Throws
/// ConfigError.
void ImportInto(scenario::Scenario& scenario, const ScenarioFile& file);

} // namespace geotrain
