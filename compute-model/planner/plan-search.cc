// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-search.h"

#include "planner/on-all-threads.h"
#include "planner/plan-candidates.h"
#include "planner/plan-refinement.h"
#include "planner/plan-selection.h"
#include "planner/plan-twins.h"
#include "planner/short-iterations.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// A part of the search: the shares of the whole that are done before it and behind it; estimates.
struct Part
{
    double begin;
    double end;
};

constexpr Part screening{0, 0.1};
constexpr Part trying{0.1, 0.25};
constexpr Part tryingTheRest{0.25, 0.3};
constexpr Part simulating{0.3, 0.8};
constexpr Part refining{0.8, 1};

/// Microbatches of the longer of the short iterations.
constexpr std::uint32_t usualMicrobatches = 24;

/// Operations of an order that take as long as a forward on the analytic network with all that belongs
/// to it; an estimate.
constexpr double operationsOfForward = 2000;

class Search
{
  public:
    Search(const TrainingJob& job, const Cluster& cluster, const PlanSearchOptions& options)
        : m_job(job),
          m_cluster(cluster),
          m_options(options),
          m_ways(cluster),
          m_made(job, cluster, m_ways, m_orders),
          m_candidates(m_made.All()),
          m_selection(m_candidates, cluster, options.simulated, options.frontPoints),
          m_refinement(job, cluster, m_made, m_orders, options.threads)
    {
    }

    PlanSearch Run(const PlanSpace& space)
    {
        PlanSearch result;
        result.pruned = m_made.Add(
            space, m_options.threads, [this](double share) { Report(share * screening.end); });
        result.legal = m_candidates.size();
        if (m_candidates.empty())
        {
            throw std::invalid_argument(WhatIsMissing(result.pruned));
        }
        Try(Promising(), trying);
        const auto selected = m_selection.Selected();
        Try(selected, tryingTheRest); // so that all estimates beside a simulation are of one kind
        result.ranked = Simulate(selected);
        EstimateAgain(m_refinement.Improve(selected,
                                           result.ranked,
                                           [this](double share) { Report(refining, share); }),
                      result.ranked);
        for (RankedPlan& plan : result.ranked)
        {
            NameAsItRuns(plan.plan);
        }
        std::stable_sort(result.ranked.begin(),
                         result.ranked.end(),
                         [this](const RankedPlan& a, const RankedPlan& b)
                         { return m_refinement.IsBetter(a, b); });
        result.ranked = WithoutTwins(std::move(result.ranked));
        return result;
    }

  private:
    void Report(double share) const
    {
        if (m_options.progress)
        {
            m_options.progress(share);
        }
    }

    void Report(Part part, double share) const
    {
        Report(part.begin + share * (part.end - part.begin));
    }

    /// Returns about how many operations making and running the orders of a plan's short iterations
    /// is worth: forwards, and input and weight gradients.
    double OperationsOf(const TrainingPlan& plan) const
    {
        const ScheduleShape shape = ShapeOf(plan);
        const ShortIterations lengths(plan, usualMicrobatches);
        const double made = 3 * FindSchedule(plan.schedule)->ordersTimed * shape.cellSize *
                            shape.stages * shape.virtualStages * lengths.longer;
        return made + operationsOfForward * shape.virtualStages *
                          static_cast<double>(lengths.Forwards(plan, m_cluster));
    }

    /// Returns as many of the fastest plans by formula as `triedOperations` allows, and at least as
    /// many as are simulated, with the given ones. Of those that are alike it is the first.
    std::vector<std::size_t> Promising() const
    {
        std::vector<std::size_t> promising;
        double operations = 0;
        for (const std::size_t index : m_selection.ByTime())
        {
            const Candidate& candidate = m_candidates[index];
            const bool isBeyond = promising.size() >= m_options.simulated &&
                                  operations > m_options.triedOperations;
            const auto isAlike = [&](std::size_t one)
            { return m_selection.AreAlike(m_candidates[one], candidate); };
            if (candidate.isGiven ||
                (!isBeyond && std::none_of(promising.begin(), promising.end(), isAlike)))
            {
                promising.push_back(index);
                operations += OperationsOf(candidate.plan);
            }
        }
        return promising;
    }

    /// Replaces the closed form by the time of short iterations. These plans come first from then on.
    void Try(const std::vector<std::size_t>& candidates, Part part)
    {
        if (m_options.triedOperations <= 0)
        {
            return;
        }
        OnThreads(candidates.size(),
                  part,
                  [&](std::size_t slot) { Try(m_candidates[candidates[slot]]); });
    }

    void Try(Candidate& candidate)
    {
        if (candidate.isTried)
        {
            return;
        }
        candidate.isTried = true;
        if (!FindSchedule(candidate.plan.schedule)->isAsynchronous)
        {
            candidate.estimate.seconds =
                ShortIterations(candidate.plan, usualMicrobatches)
                    .Simulate(candidate.plan,
                              {m_job, m_cluster, *candidate.table, &m_orders});
            candidate.price = PriceOf(
                CostOf(candidate.plan, m_cluster, *candidate.table, candidate.estimate.seconds),
                m_cluster);
        }
    }

    /// Simulates plans, those with most messages first, so that no thread is left with a long one.
    std::vector<RankedPlan> Simulate(const std::vector<std::size_t>& selected)
    {
        const auto messages = [this](std::size_t index)
        {
            const TrainingPlan& plan = m_candidates[index].plan;
            return std::uint64_t{plan.dataParallel} / AlikeCells(plan, m_cluster) *
                   plan.pipelineStages * plan.virtualStages * plan.microbatches;
        };
        std::vector<std::pair<std::uint64_t, std::size_t>> slots;
        for (std::size_t slot = 0; slot < selected.size(); ++slot)
        {
            slots.emplace_back(messages(selected[slot]), slot);
        }
        std::stable_sort(slots.begin(),
                         slots.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<RankedPlan> ranked(selected.size());
        OnThreads(slots.size(),
                  simulating,
                  [&](std::size_t next)
                  {
                      const std::size_t slot = slots[next].second;
                      const Candidate& candidate = m_candidates[selected[slot]];
                      ranked[slot] =
                          m_refinement.Run(candidate.plan, *candidate.table, candidate.estimate);
                      ranked[slot].isGiven = candidate.isGiven;
                      ranked[slot].twins = candidate.twins;
                  });
        return ranked;
    }

    /// Estimates the plans of some slots as they ran.
    void EstimateAgain(const std::vector<std::size_t>& slots, std::vector<RankedPlan>& ranked)
    {
        for (const std::size_t slot : slots)
        {
            const TrainingPlan& plan = ranked[slot].plan;
            Candidate candidate = m_made.Screened(plan, m_made.TableOf(plan), InFlightOf(plan));
            if (m_options.triedOperations > 0)
            {
                Try(candidate);
            }
            ranked[slot].estimate = candidate.estimate;
        }
    }

    ScheduleOrder OrderOf(const TrainingPlan& plan)
    {
        return PreparePlan(m_job, m_cluster, plan, {&m_made.TableOf(plan), &m_ways, &m_orders})
            .order;
    }

    /// Gives a plan whose schedule found no order of its own the name of the plain one that it runs.
    void NameAsItRuns(TrainingPlan& plan)
    {
        const ScheduleOrder own = OrderOf(plan);
        if (!own.rival || !own.rival->isUsed || plan.virtualStages > 1)
        {
            return;
        }
        TrainingPlan plain = plan;
        plain.memoryCap = 0;
        for (const char* schedule : {"1f1b", "gpipe", "zb-h1", "zb-h2"})
        {
            plain.schedule = schedule;
            const std::uint32_t most = plain.schedule == "1f1b" ? plan.microbatches : 1;
            for (plain.warmupFactor = 1; plain.warmupFactor <= most; ++plain.warmupFactor)
            {
                if (OrderOf(plain).stages == own.stages)
                {
                    plan = plain;
                    return;
                }
            }
        }
    }

    /// Joins plans, sorted by time, that are one to their user.
    std::vector<RankedPlan> WithoutTwins(std::vector<RankedPlan> ranked) const
    {
        std::vector<RankedPlan> apart;
        for (RankedPlan& plan : ranked)
        {
            const double seconds = plan.simulation.iterationTime.ToSeconds();
            const auto twin =
                std::find_if(apart.begin(),
                             apart.end(),
                             [&](const RankedPlan& one)
                             {
                                 const double ofOne = one.simulation.iterationTime.ToSeconds();
                                 return (!plan.isGiven || ofOne == seconds) &&
                                        AreTwins(one.plan, ofOne, plan.plan, seconds, m_cluster);
                             });
            if (twin == apart.end())
            {
                apart.push_back(std::move(plan));
                continue;
            }
            twin->isGiven = twin->isGiven || plan.isGiven;
            twin->twins.push_back(plan.plan);
            twin->twins.insert(twin->twins.end(), plan.twins.begin(), plan.twins.end());
        }
        return apart;
    }

    template <typename Work>
    void OnThreads(std::size_t slots, Part part, Work work) const
    {
        OnAllThreads(m_options.threads, slots, work, [&](double share) { Report(part, share); });
    }

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const PlanSearchOptions& m_options;
    ClusterWays m_ways;
    OrderCache m_orders;
    PlanCandidates m_made;
    std::vector<Candidate>& m_candidates; ///< those of m_made
    PlanSelection m_selection;
    PlanRefinement m_refinement;
};

} // namespace

PlanSearch
SearchPlans(const PlanSpace& space,
            const TrainingJob& job,
            const Cluster& cluster,
            const PlanSearchOptions& options)
{
    CheckCluster(cluster);
    return Search(job, cluster, options).Run(space);
}

} // namespace geotrain
