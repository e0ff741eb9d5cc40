// SPDX-License-Identifier: GPL-2.0-only
// Which data centres host the stages of a pipeline, or the replicas of a job: Algorithm 1 of Atlas
// (arXiv 2411.14458; read through a public re-implementation), an even split, and the orders worth
// trying.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// What one data centre takes at most: with `width` GPUs in a tensor-parallel group and `replicas`
/// of each stage, floor(GPUs / (width x replicas)) stages, where a group stays in one node.
std::uint64_t StageCapacity(const Cluster& cluster,
                            std::uint32_t dataCenter,
                            std::uint32_t width,
                            std::uint32_t replicas);

/// The data centres with GPUs, by GPUs, descending; equal ones in the cluster's order.
std::vector<std::uint32_t> ByGpusDescending(const Cluster& cluster);

/// Algorithm 1's inner loop: each data centre of `order` hosts min(stages left, its capacity). The
/// counts add up to less than `stages` where stages remain: infeasible. `capacities` are by data
/// centre.
std::vector<TrainingPlan::Host> FillInOrder(const std::vector<std::uint32_t>& order,
                                            const std::vector<std::uint64_t>& capacities,
                                            std::uint32_t stages);

/// The stages shared out as evenly as capacities allow. Empty where they don't fit, or where one of
/// `order` would host none.
std::vector<TrainingPlan::Host> SpreadEvenly(const std::vector<std::uint32_t>& order,
                                             const std::vector<std::uint64_t>& capacities,
                                             std::uint32_t stages);

/// Orders of data centres to try: with at most four of them every permutation of every choice; with
/// more, the 1, 2, ... largest ones, each in Algorithm 1's order and along the nearest neighbours
/// on the WAN from the largest on.
std::vector<std::vector<std::uint32_t>> OrdersToTry(const Cluster& cluster);

} // namespace geotrain
