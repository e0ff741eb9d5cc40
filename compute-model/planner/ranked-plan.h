// SPDX-License-Identifier: GPL-2.0-only
// A plan of a search that ran on the analytic network.
#pragma once

#include "planner/plan-cost.h"
#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"
#include "training-plan/training-plan.h"

#include <vector>

namespace geotrain
{

/// A RankedPlan is a plan that ran.
struct RankedPlan
{
    TrainingPlan plan;
    PlanEstimate estimate;     ///< estimate of the screening
    PlanSimulation simulation; ///< result on the analytic network
    PlanCost cost;             ///< cost at the simulated time
    bool isGiven = false;      ///< one that the space gives
    /// Plans that are the same in all but names: schedules that order alike, mirror images, and data
    /// centres of equal GPUs.
    std::vector<TrainingPlan> twins = {};
};

} // namespace geotrain
