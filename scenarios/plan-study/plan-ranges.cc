// SPDX-License-Identifier: GPL-2.0-only
// Takes the planner's own ranges where the scenario leaves them open.
#include "plan-study/plan-ranges.h"

#include <algorithm>

namespace geotrain
{

namespace
{

template <typename Value>
void
Override(std::vector<Value>& range, const std::vector<Value>& written)
{
    if (!written.empty())
    {
        range = written;
    }
}

template <typename Value>
bool
Holds(const std::vector<Value>& range, const Value& value)
{
    return std::find(range.begin(), range.end(), value) != range.end();
}

/// Returns whether the space's ranges hold the plan's choices.
bool
IsWithin(const PlanSpace& space, const PlanRanges& written, const TrainingPlan& plan)
{
    const auto isOpenOr = [](const auto& range, const auto& value)
    { return range.empty() || Holds(range, value); };
    return isOpenOr(written.pipelineStages, plan.pipelineStages) &&
           isOpenOr(written.tensorParallel, plan.tensorParallel) &&
           isOpenOr(written.dataParallel, plan.dataParallel) &&
           isOpenOr(written.microbatchSizes, plan.microbatchSize) &&
           isOpenOr(written.warmupFactors, plan.warmupFactor) &&
           (plan.sharing == WanSharing::Spatial || isOpenOr(written.cellSizes, plan.cellSize)) &&
           Holds(space.schedules, plan.schedule) && Holds(space.sharing, plan.sharing) &&
           Holds(space.crossDc, plan.crossDc);
}

} // namespace

PlanSpace
PlanSpaceOf(const PlanningScenario& scenario)
{
    const PlanRanges& written = scenario.planRanges;
    PlanSpace space = DefaultPlanSpace(scenario.job, scenario.cluster);
    Override(space.pipelineStages, written.pipelineStages);
    Override(space.tensorParallel, written.tensorParallel);
    Override(space.dataParallel, written.dataParallel);
    Override(space.microbatchSizes, written.microbatchSizes);
    Override(space.warmupFactors, written.warmupFactors);
    Override(space.cellSizes, written.cellSizes);
    Override(space.schedules, written.schedules);
    Override(space.sharing, written.sharing);
    Override(space.crossDc, written.crossDc);
    space.collective = scenario.plan.collective;
    space.placement = scenario.plan.placement;
    const auto& own = scenario.ownPlan;
    if (own && !own->customOrder && IsWithin(space, written, *own))
    {
        space.given.push_back(*own);
    }
    return space;
}

} // namespace geotrain
