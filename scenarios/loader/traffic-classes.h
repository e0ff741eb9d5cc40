// SPDX-License-Identifier: GPL-2.0-only
// Resolves how links and NICs serve what jobs send: by the priorities of jobs, or by classes of traffic.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

namespace geotrain
{

/// Gives the testbed its classes and the jobs their connections, unless all that sends is of one class.
/// Throws ConfigError where a link or cap knows no classes.
void ResolveClasses(const scenario::Scenario& scenario,
                    const ScenarioFile& file,
                    Experiment& experiment);

} // namespace geotrain
