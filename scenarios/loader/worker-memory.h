// SPDX-License-Identifier: GPL-2.0-only
// What training uses of each worker's memory, as those who fill its bubbles need to know it.
#pragma once

#include "filling/bubble.h"
#include "training-plan/prepare-plan.h"

#include <vector>

namespace geotrain
{

/// By worker. An activation is one of the worker's stages, embedding included.
std::vector<WorkerMemory> MemoryOfWorkers(const PreparedPlan& training, const Cluster& cluster);

/// By worker: the data centre that it is in.
std::vector<std::uint32_t> DataCentersOfWorkers(const Placement& placement);

} // namespace geotrain
