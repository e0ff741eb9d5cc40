// SPDX-License-Identifier: GPL-2.0-only
// One iteration of a plan on the analytic network, by the same executor that runs everything else.
//
// DP-cells (single pipelines under spatial sharing) that share no node are alike and meet on WAN
// links only. So one of them runs, with its even share of the links, and the rings of all replicas,
// each undisturbed on nodes of its own, are added as 2(n-1) steps of an n-th each. Plans that share
// nodes run whole.
#pragma once

#include "training-plan/order-cache.h"
#include "training-plan/stage-table.h"
#include "training-plan/training-plan.h"

namespace geotrain
{

struct PlanSimulation
{
    Duration iterationTime;
    Bytes wanPayload; ///< both directions, of all pipelines
};

/// How many alike cells a plan's simulation stands for with one; 1: it runs whole.
std::uint32_t AlikeCells(const TrainingPlan& plan, const Cluster& cluster);

/// Throws std::invalid_argument where the plan is not legal.
PlanSimulation SimulatePlan(const TrainingPlan& plan,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const StageTable& table);

/// The same with orders that others have made, or will use.
PlanSimulation SimulatePlan(const TrainingPlan& plan,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const StageTable& table,
                            OrderCache& orders);

/// The same with every pipeline, however alike.
PlanSimulation SimulateWholePlan(const TrainingPlan& plan,
                                 const TrainingJob& job,
                                 const Cluster& cluster,
                                 const StageTable& table);

} // namespace geotrain
