// SPDX-License-Identifier: GPL-2.0-only
// Decides which data centres host the stages of a pipeline, or the replicas of a job: by Algorithm
// 1 of Atlas (arXiv 2411.14458, read through a public re-implementation), by an even split, and in
// the orders worth trying.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Returns the most stages that a data centre hosts: floor(GPUs / (width x replicas)) for `width`
/// GPUs per tensor-parallel group and `replicas` of each stage, where a group stays in one node.
std::uint64_t StageCapacity(const Cluster& cluster,
                            std::uint32_t dataCenter,
                            std::uint32_t width,
                            std::uint32_t replicas);

/// Returns the data centres with GPUs, by GPUs, descending; equal ones in the cluster's order.
std::vector<std::uint32_t> ByGpusDescending(const Cluster& cluster);

/// Runs Algorithm 1's inner loop: each data centre of `order` hosts min(stages left, its capacity).
/// The plan is infeasible where the counts add up to less than `stages`. `capacities` are by data
/// centre.
std::vector<TrainingPlan::Host> FillInOrder(const std::vector<std::uint32_t>& order,
                                            const std::vector<std::uint64_t>& capacities,
                                            std::uint32_t stages);

/// Shares the stages out as evenly as capacities allow. Returns nothing where they don't fit, or
/// where a data centre of `order` would host none.
std::vector<TrainingPlan::Host> SpreadEvenly(const std::vector<std::uint32_t>& order,
                                             const std::vector<std::uint64_t>& capacities,
                                             std::uint32_t stages);

/// Returns the orders of data centres to try. With at most four data centres it is every
/// permutation of every choice. With more, it is the 1, 2, ... largest ones, each in Algorithm 1's
/// order and along the nearest neighbours on the WAN from the largest on.
std::vector<std::vector<std::uint32_t>> OrdersToTry(const Cluster& cluster);

} // namespace geotrain
