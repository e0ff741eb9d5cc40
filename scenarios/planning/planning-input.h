// A scenario as the planner's core takes it: the cluster with its prices, the job, and the ranges
// to search.
#pragma once

#include "loader/scenario-loader.h"
#include "planner/cluster.h"
#include "planner/plan-space.h"
#include "planner/training-plan.h"

#include <optional>

namespace geotrain
{

struct PlanningInput
{
    Cluster cluster; ///< data centres in the scenario's order
    TrainingJob job;
    PlanSpace space;
};

/// `scenario` is what LoadForPlanning() gives; it must outlive the result. Throws ConfigError.
PlanningInput MakePlanningInput(const LoadedScenario& scenario);

/// The shape that Algorithm 1 loops over numbers of DP-cells for: the scenario's own parallelism,
/// microbatches, schedule and sharing; C is parallelism.cell_size, 1 where it isn't set.
TrainingPlan ShapeOf(const LoadedScenario& scenario);

} // namespace geotrain
