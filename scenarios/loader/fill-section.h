// SPDX-License-Identifier: GPL-2.0-only
// Resolves the fill jobs of a scenario (PipeFill): models, arrivals, policy and costs.
#pragma once

#include "loader/experiment.h"
#include "loader/scenario-file.h"
#include "loader/schema-types.h"

namespace geotrain
{

/// Resolves fill_jobs. It fills in the mix and moves the lines of a trace file into `scenario`.
/// Throws ConfigError.
FillSection ResolveFillJobs(scenario::Scenario& scenario,
                            const TrainingSpec& training,
                            const ScenarioFile& file);

} // namespace geotrain
