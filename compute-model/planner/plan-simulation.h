// SPDX-License-Identifier: GPL-2.0-only
// Runs one iteration of a plan on the analytic network, with the same executor as all other runs.
//
// DP-cells (single pipelines under spatial sharing, pairs of them where several stages are on a
// node) that share no node are alike and meet on WAN links only. Where nothing queues there, one of them runs, with its even share of the links. Where
// their bursts wait for each other, all of them run, or at least four of very many. The rings
// of all replicas are added as 2(n-1) steps of an n-th each, undisturbed on nodes of their own. Plans
// whose cells share nodes run whole. Where a
// hierarchy of rings reduces over data centres, one of the alike replicas in each runs, if they
// share no node. Where replicas have different GPUs, those that run have the
// times of the slowest replica of each stage.
#pragma once

#include "execution/iteration-times.h"
#include "planner/plan-inputs.h"
#include "training-plan/training-plan.h"

namespace geotrain
{

/// A PlanSimulation is the result for one iteration.
struct PlanSimulation
{
    Duration iterationTime;
    Bytes wanPayload; ///< payload of all pipelines in both directions
};

/// Returns how many alike cells of a plan, or replicas in a data centre, one that runs stands for; 1:
/// the plan runs whole.
std::uint32_t AlikeCells(const TrainingPlan& plan, const Cluster& cluster);

/// Simulates a plan. There are as many iterations as `iterations` says where the schedule has a flush.
/// Throws std::invalid_argument where the plan is not legal.
PlanSimulation SimulatePlan(const TrainingPlan& plan,
                            const PlanInputs& inputs,
                            const MeasuredIterations& iterations = {});

/// Does the same with every pipeline of the plan, even where they are alike.
PlanSimulation SimulateWholePlan(const TrainingPlan& plan,
                                 const PlanInputs& inputs,
                                 const MeasuredIterations& iterations = {});

} // namespace geotrain
