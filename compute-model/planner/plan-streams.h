// A plan as what an executor runs: its workers on the nodes of the data centres that host it, and
// their instruction streams.
#pragma once

#include "execution/execution-plan.h"
#include "execution/iteration-times.h"
#include "execution/temporal-sharing.h"
#include "planner/order-cache.h"
#include "planner/stage-table.h"
#include "planner/training-plan.h"
#include "schedule/schedule-order.h"

#include <memory>
#include <vector>

namespace geotrain
{

struct PlanStreams
{
    ExecutionPlan execution;
    CellLayout cells; ///< its data centres are indices into the cluster's
    MeasuredIterations iterations;
};

/// What schedules plan with: the times of the virtual stages, and of the ways between them, alone
/// and as an even share of the WAN links.
ScheduleTimes TimesOfPlan(const TrainingPlan& plan,
                          const TrainingJob& job,
                          const Cluster& cluster,
                          const StageTable& table);

/// The order that the plan's schedule makes of it. Throws std::invalid_argument where it makes
/// none.
std::shared_ptr<const ScheduleOrder> MakeOrder(const TrainingPlan& plan,
                                               const TrainingJob& job,
                                               const Cluster& cluster,
                                               const StageTable& table,
                                               OrderCache& orders);

/// Nodes are counted through the plan's hosts in their order, all nodes of each. Throws
/// std::invalid_argument where the plan doesn't fit the cluster.
PlanStreams MakePlanStreams(const TrainingPlan& plan,
                            const TrainingJob& job,
                            const Cluster& cluster,
                            const StageTable& table,
                            OrderCache& orders);

} // namespace geotrain
