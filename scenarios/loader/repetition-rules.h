// SPDX-License-Identifier: GPL-2.0-only
// Says of which runs an iteration may stand for those after it (run.repeat): of those whose iterations
// differ by nothing but what the ones before left behind.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"

namespace geotrain
{

/// Throws ConfigError where run.repeat is set in a run that draws something at random, whose links
/// change over time, or whose iterations overlap.
void RequireRepeatable(const Experiment& experiment, const ScenarioFile& file);

} // namespace geotrain
