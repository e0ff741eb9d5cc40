// SPDX-License-Identifier: GPL-2.0-only
// Says what to look at before trusting the compute times of a scenario.
#pragma once

#include "training-plan/cluster.h"
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

} // namespace geotrain
