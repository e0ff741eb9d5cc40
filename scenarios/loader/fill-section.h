// SPDX-License-Identifier: GPL-2.0-only
// Resolves the fill jobs of a scenario (PipeFill): models, arrivals, policy and costs.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "loader/training-section.h"

#include <vector>

namespace geotrain
{

/// A FillSection is the resolved fill_jobs of a scenario.
struct FillSection
{
    std::vector<FillJob> jobs;       ///< in the order of arrival; empty where there are none
    std::vector<FillWorker> workers; ///< by worker, in the order of the placement
    PipeFillerOptions options;
};

/// Resolves fill_jobs. It fills in the mix and moves the lines of a trace file into `scenario`.
/// Throws ConfigError.
FillSection ResolveFillJobs(scenario::Scenario& scenario,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const TrainingSection& training,
                            const ScenarioFile& file);

} // namespace geotrain
