// SPDX-License-Identifier: GPL-2.0-only
// Says how much memory training uses on each worker, for the fillers of its bubbles.
#pragma once

#include "filling/bubble.h"
#include "training-plan/prepare-plan.h"

#include <vector>

namespace geotrain
{

/// Returns the memory by worker. The size of an activation is that of one of the worker's stages,
/// embedding included.
std::vector<WorkerMemory> MemoryOfWorkers(const PreparedPlan& training, const Cluster& cluster);

} // namespace geotrain
