// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-shape.h"

namespace geotrain
{

ScheduleShape
ShapeOf(const TrainingPlan& plan)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    ScheduleShape shape;
    shape.stages = plan.pipelineStages;
    shape.microbatches = plan.microbatches;
    shape.warmupFactor = plan.warmupFactor;
    shape.virtualStages = plan.virtualStages;
    if (plan.memoryCap > 0)
    {
        shape.memoryCap = plan.memoryCap;
    }
    if (schedule != nullptr && schedule->knowsTurns && plan.sharing == WanSharing::Temporal)
    {
        shape.cellSize = plan.cellSize;
    }
    return shape;
}

std::vector<std::uint32_t>
InFlightOf(const TrainingPlan& plan)
{
    return MostActivations(*FindSchedule(plan.schedule), ShapeOf(plan));
}

std::vector<std::uint32_t>
WorkersOfStages(const TrainingPlan& plan)
{
    return WorkersOfStages(*FindSchedule(plan.schedule), ShapeOf(plan));
}

} // namespace geotrain
