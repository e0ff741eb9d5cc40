// SPDX-License-Identifier: GPL-2.0-only
// Resolves the fill jobs of a scenario (PipeFill): models, arrivals, policy and costs.
#pragma once

#include "fill-jobs/pipe-filler.h"
#include "loader/training-section.h"

#include <vector>

namespace geotrain
{

struct FillSection
{
    std::vector<FillJob> jobs;       ///< in the order of arrival; empty: the scenario has none
    std::vector<FillWorker> workers; ///< as placed
    PipeFillerOptions options;
};

/// Fills in the mix and moves a trace's lines into `scenario`. Throws ConfigError.
FillSection ResolveFillJobs(scenario::Scenario& scenario,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const TrainingSection& training,
                            const ScenarioFile& file);

} // namespace geotrain
