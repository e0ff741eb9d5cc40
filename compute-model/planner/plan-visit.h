// SPDX-License-Identifier: GPL-2.0-only
// Visits the legal plans of a plan space, and says why the other combinations are not legal.
#pragma once

#include "planner/plan-space.h"
#include "planner/prune-reasons.h"
#include "training-plan/stage-table.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace geotrain
{

/// Is called for a legal plan with the table of its stages and the microbatches in flight at each.
using PlanVisitor = std::function<void(
    const TrainingPlan& plan, const StageTable& table, const std::vector<std::uint32_t>& inFlight)>;

/// Visits the legal plans of `space` in a fixed order. `tables` grow as needed and stay valid.
/// Throws std::invalid_argument as CheckSpace() does.
std::vector<PruneReason> VisitPlans(const PlanSpace& space,
                                    const TrainingJob& job,
                                    const Cluster& cluster,
                                    StageTables& tables,
                                    const PlanVisitor& visit);

} // namespace geotrain
