// SPDX-License-Identifier: GPL-2.0-only
// Defines the ranges whose combinations a search looks at.
#pragma once

#include "training-plan/cluster.h"
#include "training-plan/training-job.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A PlanSpace holds the ranges that are combined.
struct PlanSpace
{
    std::vector<std::uint32_t> pipelineStages;
    std::vector<std::uint32_t> tensorParallel;
    std::vector<std::uint32_t> dataParallel;
    std::vector<std::uint32_t> microbatchSizes;
    std::vector<std::string> schedules; ///< names of ScheduleCatalogue()
    std::vector<std::uint32_t> warmupFactors = {1};
    std::vector<WanSharing> sharing = {WanSharing::Spatial, WanSharing::Temporal};
    std::vector<CrossDc> crossDc = {
        CrossDc::Pipeline, CrossDc::ReplicasFlat, CrossDc::ReplicasHierarchical};
    std::string collective = "ring"; ///< TrainingPlan::collective
    std::optional<NodePlacement> placement = {}; ///< TrainingPlan::placement
    /// Pipelines per DP-cell. If empty, the search takes the smallest divisor of dataParallel that
    /// is at least the ratio of a microbatch's WAN transfer time to its compute time in a stage
    /// (Atlas). A cell has no more pipelines than a stage has different nodes.
    std::vector<std::uint32_t> cellSizes;
    /// Plans that run beside the combinations, where they train the job's batch and fit.
    std::vector<TrainingPlan> given = {};
};

/// Returns what the job and the cluster allow: pipelines of up to as many stages as there are layers
/// and GPUs, tensor parallelism in powers of two up to a node, data parallelism that divides the batch,
/// microbatches of 1, 2 and 4, all synchronous schedules, and warm-up factors of 1, 2 and 4.
PlanSpace DefaultPlanSpace(const TrainingJob& job, const Cluster& cluster);

/// Throws std::invalid_argument for an unknown schedule, an empty range, and a zero in a range.
void CheckSpace(const PlanSpace& space);

} // namespace geotrain
