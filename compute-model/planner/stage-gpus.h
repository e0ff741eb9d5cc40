// SPDX-License-Identifier: GPL-2.0-only
// Says which GPU types the replicas of each stage run on, and how many activations fit there.
#pragma once

#include "hardware/gpu-spec.h"
#include "training-plan/cluster.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// The different GPU types of each worker's replicas, by worker of a pipeline.
using StageGpus = std::vector<std::vector<const GpuSpec*>>;

/// Returns the types on which `plan` runs. They are the cluster's, which must outlive them. Throws
/// std::invalid_argument where the plan doesn't fit the cluster.
StageGpus GpusOfStages(const TrainingPlan& plan, const Cluster& cluster);

/// Returns whether not all stages have the same types.
bool AreUnlike(const StageGpus& gpus);

/// Returns the memory of the smallest of a worker's types.
Bytes SmallestMemory(const std::vector<const GpuSpec*>& gpus);

} // namespace geotrain
