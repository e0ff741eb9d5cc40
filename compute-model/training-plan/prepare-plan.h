// SPDX-License-Identifier: GPL-2.0-only
// Derives from a job, a cluster and a plan everything that runs: where workers sit, how long stages
// compute, how long hops take, the schedule's order, and memory. Runs, rehearsals and the planner
// all start here, so that what a planner says of a plan is what a run of it does. The instruction
// streams are made from the result (plan-streams.h), since they are large and a search looks at
// most plans without them.
#pragma once

#include "training-plan/cluster-ways.h"
#include "training-plan/order-cache.h"
#include "training-plan/prepared-plan.h"

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

/// Prepares a plan. Throws std::invalid_argument where it doesn't fit the cluster, the model can't
/// be split so, or its schedule makes no order of it. A worker that lacks memory is not refused.
PreparedPlan PreparePlan(const TrainingJob& job,
                         const Cluster& cluster,
                         const TrainingPlan& plan,
                         const PlanCaches& caches = {});

/// Returns whether a data centre that hosts a part of the plan has several GPU types.
bool HasOtherGpus(const Cluster& cluster, const TrainingPlan& plan);

/// Returns how the workers of a host of the plan are dealt out to the nodes of its data centre.
NodeDealing
DealingOf(const Cluster& cluster, const TrainingPlan& plan, const TrainingPlan::Host& host);

/// Returns where the plan's workers sit. Throws std::invalid_argument where they don't fit.
Placement PlacePlan(const Cluster& cluster, const TrainingPlan& plan);

} // namespace geotrain
