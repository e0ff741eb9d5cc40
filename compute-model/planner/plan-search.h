// SPDX-License-Identifier: GPL-2.0-only
// The search for the best plan: all legal ones are screened by the cheap estimate, the best of
// these by the timeline of their order with every way to itself, and the best of these, and those
// that look worth their cost, run on the analytic network, which ranks them.
#pragma once

#include "planner/plan-cost.h"
#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"
#include "planner/plan-space.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct RankedPlan
{
    TrainingPlan plan;
    PlanEstimate estimate;     ///< the screening's
    PlanSimulation simulation; ///< on the analytic network
    PlanCost cost;             ///< at the simulated time
};

struct PlanSearch
{
    std::uint64_t legal = 0;
    std::vector<PruneReason> pruned; ///< rules that pruned something
    std::vector<RankedPlan> ranked;  ///< by simulated time; equal ones by cost
    /// Of the plans that ran: none else is both as fast and as cheap. By time, the fastest first.
    std::vector<RankedPlan> front;
};

struct PlanSearchOptions
{
    std::size_t simulated = 20;  ///< plans that run at most, the fastest by estimate
    std::size_t frontPoints = 8; ///< that run beside them, of the front by estimate
    double timedOperations =
        1.5e6; ///< of orders whose timeline screens, about; at least `simulated` orders
    unsigned threads = 2;
};

/// Time is the iteration's, of the same batch for all plans. Cost is in dollars, or in GPU-hours
/// where every price is 0. Throws std::invalid_argument for what CheckCluster() or VisitPlans()
/// refuse, and where no plan is legal: the text then says what is missing.
PlanSearch SearchPlans(const PlanSpace& space,
                       const TrainingJob& job,
                       const Cluster& cluster,
                       const PlanSearchOptions& options = {});

} // namespace geotrain
