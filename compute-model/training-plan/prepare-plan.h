// SPDX-License-Identifier: GPL-2.0-only
// Derives from a job, a cluster and a plan everything that runs: where workers sit, how long stages
// compute, how long hops take, the schedule's order, and memory. Runs, rehearsals and the planner
// all start here, so that what a planner says of a plan is what a run of it does. The instruction
// streams are made from the result (plan-streams.h), since they are large and a search looks at
// most plans without them.
#pragma once

#include "placement/placement.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/order-cache.h"
#include "training-plan/replica-streams.h"
#include "training-plan/stage-table.h"

#include <vector>

namespace geotrain
{

/// PlanCaches are what plans of one search share. Any of them may be null, and is then made for the
/// one plan.
struct PlanCaches
{
    const StageTable* table = nullptr; ///< table of the plan's own choice
    const ClusterWays* ways = nullptr; ///< ways of the same cluster
    OrderCache* orders = nullptr;
};

/// A PreparedPlan is a plan with all that follows from it.
struct PreparedPlan
{
    Placement placement;                      ///< its nodes and data centres are the cluster's
    std::vector<std::uint32_t> workerOfStage; ///< by virtual stage
    std::vector<StageShare> shares;           ///< by virtual stage
    std::vector<Bytes> gradients;             ///< by virtual stage
    /// By type of GPU, in the order of the workers; empty where replicas keep the model.
    std::vector<LayeredWork> layeredWorks;
    std::vector<std::uint32_t> layeredWorkOfWorker; ///< by worker; empty as well
    Bytes boundary;                                 ///< size of a message between two stages
    Bytes tiedEmbeddingGradients;
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
    ScheduleTimes Times() const;
};

/// Prepares a plan. Throws std::invalid_argument where it doesn't fit the cluster, the model can't
/// be split so, or its schedule makes no order of it. A worker that lacks memory is not refused.
PreparedPlan PreparePlan(const TrainingJob& job,
                         const Cluster& cluster,
                         const TrainingPlan& plan,
                         const PlanCaches& caches = {});

/// Returns whether a data centre that hosts a part of the plan has several GPU types.
bool HasOtherGpus(const Cluster& cluster, const TrainingPlan& plan);

/// Returns where the plan's workers sit. Throws std::invalid_argument where they don't fit.
Placement PlacePlan(const Cluster& cluster, const TrainingPlan& plan);

} // namespace geotrain
