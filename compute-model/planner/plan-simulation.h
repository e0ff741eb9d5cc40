// One iteration of a plan on the analytic network, by the same executor that runs everything else.
#pragma once

#include "planner/stage-table.h"
#include "planner/training-plan.h"

namespace geotrain
{

struct PlanSimulation
{
    Duration iterationTime;
    Bytes wanPayload; ///< both directions
};

/// Throws std::invalid_argument where the plan is not legal.
PlanSimulation SimulatePlan(const TrainingPlan& plan,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const StageTable& table);

} // namespace geotrain
