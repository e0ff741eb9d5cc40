// SPDX-License-Identifier: GPL-2.0-only
// The search for the best plan. Closed forms screen all legal plans, short iterations on the
// analytic network rank the fastest of these, and whole ones decide among the best, and among plans
// that look worth their cost.
#pragma once

#include "planner/plan-space.h"
#include "planner/prune-reasons.h"
#include "planner/ranked-plan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace geotrain
{

/// A PlanSearch is the result of a search.
struct PlanSearch
{
    std::uint64_t legal = 0;         ///< number of legal plans
    std::vector<PruneReason> pruned; ///< rules that pruned something
    std::vector<RankedPlan> ranked;  ///< plans that ran, by simulated time; equal ones by cost
};

/// PlanSearchOptions limit the work of a search.
struct PlanSearchOptions
{
    /// Plans that run as the fastest by estimate. The fastest of each schedule and kind of sharing
    /// runs too, where it may be the best within the estimate's error.
    std::size_t simulated = 20;
    std::size_t frontPoints = 8; ///< most plans that also run, from the front by estimate
    /// Operations, about, that the short iterations are worth. At least `simulated` plans are tried so;
    /// with 0 none is.
    double triedOperations = 1e7;
    unsigned threads = 2;
    /// Called by the searching thread with the share of the search that is done, in [0, 1]; may be
    /// empty.
    std::function<void(double share)> progress = {};
};

/// Searches for the plans of the least time and cost. Time is the iteration's, for the same batch
/// in all plans. Cost is in dollars, or in GPU-hours where every price is 0. Throws
/// std::invalid_argument for what CheckCluster() or VisitPlans() refuses, and where no plan is
/// legal; the text then says what is missing.
PlanSearch SearchPlans(const PlanSpace& space,
                       const TrainingJob& job,
                       const Cluster& cluster,
                       const PlanSearchOptions& options = {});

} // namespace geotrain
