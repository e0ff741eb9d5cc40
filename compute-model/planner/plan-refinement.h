// SPDX-License-Identifier: GPL-2.0-only
// Changes the best plans of a search in what only a simulation tells: the activations that they hold,
// which may queue on the WAN ahead of others, and the layers of stages whose GPUs differ, which the
// balance shares out as if messages took no time.
#pragma once

#include "planner/plan-candidates.h"
#include "planner/ranked-plan.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace geotrain
{

/// A PlanRefinement changes plans that ran, and runs them again.
class PlanRefinement
{
  public:
    /// All must outlive this. `made` are the candidates of the job on the cluster.
    PlanRefinement(const TrainingJob& job,
                   const Cluster& cluster,
                   PlanCandidates& made,
                   OrderCache& orders,
                   unsigned threads);

    /// Simulates a plan, whose estimate is given.
    RankedPlan
    Run(const TrainingPlan& plan, const StageTable& table, const PlanEstimate& estimate) const;

    /// Returns whether `a` took less time, or the same at a lower price.
    bool IsBetter(const RankedPlan& a, const RankedPlan& b) const;

    /// Gives the best plan of each schedule, where it is near the best of all, the memory cap and
    /// the layers with which it is fastest. `ranked` are the candidates `selected`. `report` is
    /// called with the share that is done, about. Returns the slots whose plans have changed.
    std::vector<std::size_t> Improve(const std::vector<std::size_t>& selected,
                                     std::vector<RankedPlan>& ranked,
                                     const std::function<void(double share)>& report);

  private:
    struct Variant
    {
        std::size_t slot;
        TrainingPlan plan;
        const StageTable* table;
    };

    std::vector<std::size_t> BestOfSchedules(const std::vector<std::size_t>& selected,
                                             const std::vector<RankedPlan>& ranked) const;
    bool MayChange(const Candidate& candidate) const;
    std::vector<Variant> WithSmallerCaps(std::size_t slot, const RankedPlan& ranked);
    std::vector<Variant> WithALayerMoved(std::size_t slot, const RankedPlan& ranked);
    void TakeFaster(const std::vector<Variant>& variants,
                    std::vector<RankedPlan>& ranked,
                    const std::function<void(double share)>& report) const;

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    PlanCandidates& m_made;
    OrderCache& m_orders;
    unsigned m_threads;
};

} // namespace geotrain
