// SPDX-License-Identifier: GPL-2.0-only
// Checks what a plan's workers need against the memory of their GPUs.
#pragma once

#include "loader/scenario-file.h"
#include "loader/schema-types.h"
#include "training-plan/cluster.h"
#include "training-plan/prepare-plan.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Throws ConfigError where a worker's GPUs lack memory, or returns a warning of it, as
/// run.memory_check says; nothing where all fit.
std::vector<std::string> CheckGpuMemory(const scenario::Run& run,
                                        const PreparedPlan& prepared,
                                        const Cluster& cluster,
                                        const ScenarioFile& file);

} // namespace geotrain
