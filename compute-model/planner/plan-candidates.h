// SPDX-License-Identifier: GPL-2.0-only
// The legal plans of a search with their estimates: the combinations of the space's ranges, and plans
// that are given.
#pragma once

#include "planner/plan-cost.h"
#include "planner/plan-estimate.h"
#include "planner/plan-space.h"
#include "planner/prune-reasons.h"
#include "training-plan/order-cache.h"

#include <deque>
#include <functional>
#include <set>
#include <vector>

namespace geotrain
{

/// A Candidate is a legal plan that may run.
struct Candidate
{
    TrainingPlan plan;
    const StageTable* table = nullptr;
    PlanEstimate estimate;
    double screenedSeconds = 0; ///< by formula
    double price = 0;
    bool isTried = false; ///< its estimate comes from short iterations
    bool isGiven = false; ///< runs whatever its estimate
    std::vector<TrainingPlan> twins = {}; ///< those for which it is simulated too
};

/// Returns whether two plans for the same batch, neither with an order of the user's own, are the
/// same.
bool IsSamePlan(const TrainingPlan& a, const TrainingPlan& b);

/// Returns the data centres that host a part of a plan.
std::set<std::uint32_t> DataCentersOf(const TrainingPlan& plan);

/// PlanCandidates make the candidates of one search, and keep the tables of their stages.
class PlanCandidates
{
  public:
    /// All must outlive this. `ways` are the cluster's.
    PlanCandidates(const TrainingJob& job,
                   const Cluster& cluster,
                   const ClusterWays& ways,
                   OrderCache& orders);

    /// Adds all legal plans of a space on `threads` threads, each pipeline depth apart from the
    /// others, and the given ones. Returns why the others are not legal. `report` is called with the
    /// share that is done.
    std::vector<PruneReason>
    Add(const PlanSpace& space, unsigned threads, const std::function<void(double share)>& report);

    std::vector<Candidate>& All()
    {
        return m_candidates;
    }

    const std::vector<Candidate>& All() const
    {
        return m_candidates;
    }

    /// Clears a plan's layers by stage where they are those of an even split.
    void ForgetEvenLayers(TrainingPlan& plan);

    /// Returns the table of a plan's stages, made at the first call. It isn't to be called by
    /// several threads at once.
    const StageTable& TableOf(const TrainingPlan& plan);

    /// Returns whether a plan fits GPUs and memory.
    bool Fits(const TrainingPlan& plan, const StageTable& table);

    /// Makes a candidate with the cheap estimate.
    Candidate Screened(const TrainingPlan& plan,
                       const StageTable& table,
                       const std::vector<std::uint32_t>& held) const;

  private:
    void AddGiven(TrainingPlan plan);

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const ClusterWays& m_ways;
    OrderCache& m_orders;
    StageTables m_tables; ///< of plans that are given or changed
    std::deque<StageTables> m_tablesOfDepth;
    std::vector<Candidate> m_candidates;
};

} // namespace geotrain
