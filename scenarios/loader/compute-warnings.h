// SPDX-License-Identifier: GPL-2.0-only
// Says what to look at before trusting the compute times of a scenario, and whether its model fits
// into the GPUs' memory.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-plan/cluster.h"
#include "training-plan/prepare-plan.h"
#include "training-plan/training-job.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns one sentence for each GPU whose times are an estimate, and for recomputation and overlap that
/// have no meaning.
std::vector<std::string> ComputeWarnings(const TrainingJob& job, const Cluster& cluster);

/// Returns one sentence for each GPU of the scenario's own that has efficiencies, since what a serving
/// engine adds to its prefills is H100's.
std::vector<std::string> ServingWarnings(const Cluster& cluster);

/// Throws ConfigError where a worker's GPUs lack memory, or adds a warning of it, as run.memory_check
/// says.
void CheckGpuMemory(const scenario::Run& run,
                    const PreparedPlan& prepared,
                    const Cluster& cluster,
                    std::vector<std::string>& warnings,
                    const ScenarioFile& file);

} // namespace geotrain
