// SPDX-License-Identifier: GPL-2.0-only
// From a job, a cluster and a plan to everything that runs: where workers sit, how long stages
// compute, what hops take, the schedule's order, memory. Runs, rehearsals and the planner all start
// here, so that what a planner says of a plan is what a run of it does. The instruction streams are
// made of the result (plan-streams.h), since they are large and a search looks at most plans
// without them.
#pragma once

#include "placement/placement.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/order-cache.h"
#include "training-plan/replica-streams.h"
#include "training-plan/stage-table.h"

#include <vector>

namespace geotrain
{

/// What plans of one search share. All of it may be null, and is then made for the one plan.
struct PlanCaches
{
    const StageTable* table = nullptr; ///< of the plan's own choice
    const ClusterWays* ways = nullptr; ///< of the same cluster
    OrderCache* orders = nullptr;
};

struct PreparedPlan
{
    Placement placement;                      ///< its nodes and data centres are the cluster's
    std::vector<std::uint32_t> workerOfStage; ///< by virtual stage
    std::vector<StageShare> shares;           ///< by virtual stage
    std::vector<Bytes> gradients;             ///< by virtual stage
    Bytes boundary;                           ///< of a message between two stages
    Bytes tiedEmbeddingGradients;
    std::vector<StageTiming>
        timing; ///< by virtual stage; empty where replicas are across data centres
    std::vector<ReplicaHost>
        replicaHosts;      ///< where replicas are across data centres: who runs which, how fast
    std::vector<Hop> hops; ///< from each virtual stage to the next one
    ScheduleOrder order;
    std::vector<StageMemory> memory; ///< of one GPU, by worker of a pipeline, under the order's cap
    std::vector<Bytes> activation;   ///< one of the worker's largest stage, by worker of a pipeline
    BitRate nodeLocalRate;           ///< of a message inside a node

    /// What the order was planned with: where replicas are across data centres, the first one's.
    ScheduleTimes Times() const;
};

/// Throws std::invalid_argument where the plan doesn't fit the cluster, the model can't be split
/// so, or its schedule makes no order of it. A worker that lacks memory is not refused.
PreparedPlan PreparePlan(const TrainingJob& job,
                         const Cluster& cluster,
                         const TrainingPlan& plan,
                         const PlanCaches& caches = {});

/// Where the plan's workers sit. Throws std::invalid_argument where they don't fit.
Placement PlacePlan(const Cluster& cluster, const TrainingPlan& plan);

} // namespace geotrain
