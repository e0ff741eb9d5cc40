// SPDX-License-Identifier: GPL-2.0-only
// Holds a plan with all that follows from it (prepare-plan.h): where workers sit, times, sizes, the
// schedule's order, and memory.
#pragma once

#include "placement/placement.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

#include <vector>

namespace geotrain
{

/// A ReplicaHost is consecutive replicas whose GPUs are alike.
struct ReplicaHost
{
    std::uint32_t replicas = 0;
    std::vector<StageTiming> timing; ///< times by stage
};

/// A PreparedPlan is a plan with all that follows from it.
struct PreparedPlan
{
    Placement placement;                      ///< its nodes and data centres are the cluster's
    std::vector<std::uint32_t> workerOfStage; ///< by virtual stage
    std::vector<StageShare> shares;           ///< by virtual stage
    std::vector<Bytes> gradients;             ///< by virtual stage
    std::vector<Bytes> gathered;              ///< StageTable::gathered
    /// By type of GPU, in the order of the workers; empty where replicas keep the model.
    std::vector<LayeredWork> layeredWorks;
    std::vector<std::uint32_t> layeredWorkOfWorker; ///< by worker; empty as well
    Bytes boundary;                                 ///< size of a message between two stages
    Bytes tiedEmbeddingGradients;
    ExpertExchange experts; ///< StageTable::experts
    /// Times by virtual stage, of the slowest replica; empty where replicas are across data centres.
    std::vector<StageTiming> timing;
    /// Who runs which replicas, and how fast; empty where all replicas run alike.
    std::vector<ReplicaHost> replicaHosts;
    std::vector<Hop> hops; ///< from each virtual stage to the next one
    ScheduleOrder order;
    /// Memory of one GPU under the order's cap, by worker of a pipeline.
    std::vector<StageMemory> memory;
    /// One activation of the worker's largest stage, by worker of a pipeline.
    std::vector<Bytes> activation;
    BitRate nodeLocalRate; ///< rate of a message inside a node

    /// Returns the times with which the order was planned. Where replicas are across data centres,
    /// they are the first replica's.
    ScheduleTimes Times() const
    {
        return {timing.empty() ? replicaHosts.front().timing : timing, hops};
    }
};

} // namespace geotrain
