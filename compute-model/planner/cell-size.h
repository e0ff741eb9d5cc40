// SPDX-License-Identifier: GPL-2.0-only
// Chooses the size of DP-cells where a plan space gives none (Atlas, arXiv 2411.14458).
#pragma once

#include "training-plan/cluster-ways.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <cstdint>

namespace geotrain
{

/// Returns how many nodes of its own each stage of `plan` can have at most, at most dataParallel.
std::uint32_t DifferentNodes(const TrainingPlan& plan, const Cluster& cluster);

/// Returns the smallest divisor of dataParallel that is at least the ratio of a microbatch's WAN
/// transfer time to its forward time in the slowest stage, and at least 2. It is at most
/// DifferentNodes(); where no divisor reaches the ratio, it is the largest of these.
std::uint32_t CellSizeOf(const TrainingPlan& plan,
                         const Cluster& cluster,
                         const ClusterWays& ways,
                         const StageTable& table);

} // namespace geotrain
