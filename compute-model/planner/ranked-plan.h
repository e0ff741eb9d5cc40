// SPDX-License-Identifier: GPL-2.0-only
// A plan of a search that ran on the analytic network.
#pragma once

#include "planner/plan-cost.h"
#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"
#include "training-plan/training-plan.h"

namespace geotrain
{

/// A RankedPlan is a plan that ran.
struct RankedPlan
{
    TrainingPlan plan;
    PlanEstimate estimate;     ///< estimate of the screening
    PlanSimulation simulation; ///< result on the analytic network
    PlanCost cost;             ///< cost at the simulated time
};

} // namespace geotrain
