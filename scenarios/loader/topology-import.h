// SPDX-License-Identifier: GPL-2.0-only
// Writes an imported topology (Topology Zoo GML or GraphML, node-link JSON) into the scenario: its
// nodes become transit sites, its edges links. The scenario then no longer needs the file.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"

namespace geotrain
{

/// Clears `scenario.topology_import`. Throws ConfigError.
void ImportInto(scenario::Scenario& scenario, const ScenarioFile& file);

} // namespace geotrain
