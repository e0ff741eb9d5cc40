// SPDX-License-Identifier: GPL-2.0-only
// Takes the planner's own ranges where the scenario leaves them open.
#include "planning/planning-input.h"

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

} // namespace

PlanSpace
PlanSpaceOf(const LoadedScenario& scenario)
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
    return space;
}

} // namespace geotrain
