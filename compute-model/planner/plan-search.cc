// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-search.h"

#include "planner/hop-probe.h"
#include "planner/on-all-threads.h"
#include "planner/pipeline-time.h"
#include "planner/plan-candidates.h"
#include "planner/plan-estimate.h"
#include "planner/plan-refinement.h"
#include "planner/plan-selection.h"
#include "planner/ring-probe.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <iterator>
#include <map>
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
constexpr Part timing{0.1, 0.25};
constexpr Part timingTheRest{0.25, 0.3};
constexpr Part simulating{0.3, 0.8};
constexpr Part refining{0.8, 1};

class Search
{
  public:
    Search(const TrainingJob& job, const Cluster& cluster, const PlanSearchOptions& options)
        : m_job(job),
          m_cluster(cluster),
          m_options(options),
          m_ways(cluster),
          m_hopProbe(job, cluster, m_ways),
          m_ringProbe(job, cluster, m_ways),
          m_made(job, cluster, m_ways, m_orders),
          m_candidates(m_made.All()),
          m_selection(m_candidates, options.simulated, options.frontPoints),
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
        Refine();
        // Formulas of rings are too short where windows queue or packets are lost. Plans that get
        // longer leave their place to others, until all that run are measured.
        auto selected = m_selection.Selected();
        while (MeasureRings(selected))
        {
            selected = m_selection.Selected();
        }
        if (m_options.timedOperations > 0)
        {
            TimeTheRest(selected);
            MeasureRings(selected);
        }
        result.ranked = Simulate(selected);
        EstimateAgain(m_refinement.Improve(selected,
                                           result.ranked,
                                           [this](double share) { Report(refining, share); }),
                      result.ranked);
        std::stable_sort(result.ranked.begin(),
                         result.ranked.end(),
                         [this](const RankedPlan& a, const RankedPlan& b)
                         { return m_refinement.IsBetter(a, b); });
        result.front = FrontOf(result.ranked);
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

    /// Returns about how many operations are made and timed for its order: forwards, and input and
    /// weight gradients.
    static double OperationsOf(const TrainingPlan& plan)
    {
        const ScheduleShape shape = ShapeOf(plan);
        return 3 * FindSchedule(plan.schedule)->ordersTimed * shape.cellSize * shape.stages *
               shape.virtualStages * shape.microbatches;
    }

    /// Replaces the closed form by the timeline of the order for as many of the fastest plans as
    /// `timedOperations` allows, and at least for the plans that run. These come first from then on.
    void Refine()
    {
        if (m_options.timedOperations <= 0)
        {
            return;
        }
        std::vector<std::size_t> timed;
        double operations = 0;
        for (const std::size_t index : m_selection.ByTime())
        {
            const Candidate& candidate = m_candidates[index];
            operations += OperationsOf(candidate.plan);
            const bool isBeyond =
                timed.size() >= m_options.simulated && operations > m_options.timedOperations;
            if (!isBeyond || candidate.isGiven)
            {
                timed.push_back(index);
            }
        }
        TimeAll(timed, timing);
    }

    void TimeAll(const std::vector<std::size_t>& candidates, Part part)
    {
        std::vector<HopProbe::PlannedHops> planned;
        for (const std::size_t index : candidates)
        {
            const Candidate& candidate = m_candidates[index];
            if (!FindSchedule(candidate.plan.schedule)->isAsynchronous)
            {
                planned.emplace_back(&candidate.plan, candidate.table);
            }
        }
        m_hopProbe.Measure(planned, m_options.threads);
        OnThreads(candidates.size(),
                  part,
                  [&](std::size_t slot) { Time(m_candidates[candidates[slot]]); });
        for (const std::size_t index : candidates)
        {
            m_candidates[index].isTimed = true;
        }
    }

    /// Times the orders of the plans of the front that are beyond `timedOperations`, so that all
    /// estimates that stand beside a simulation are of one kind.
    void TimeTheRest(const std::vector<std::size_t>& selected)
    {
        std::vector<std::size_t> rest;
        std::copy_if(selected.begin(),
                     selected.end(),
                     std::back_inserter(rest),
                     [this](std::size_t index) { return !m_candidates[index].isTimed; });
        TimeAll(rest, timingTheRest);
    }

    void Time(Candidate& candidate)
    {
        const TrainingPlan& plan = candidate.plan;
        if (FindSchedule(plan.schedule)->isAsynchronous)
        {
            return;
        }
        const auto prepared =
            PreparePlan(m_job, m_cluster, plan, {candidate.table, &m_ways, &m_orders});
        PlanEstimate& estimate = candidate.estimate;
        const double after = estimate.seconds - estimate.pipelineSeconds;
        estimate.pipelineSeconds =
            PipelineTime(plan, prepared, m_cluster, m_ways, *candidate.table, m_hopProbe)
                .ToSeconds();
        SetSeconds(candidate, estimate.pipelineSeconds + after);
    }

    void SetSeconds(Candidate& candidate, double seconds) const
    {
        candidate.estimate.seconds = seconds;
        candidate.price =
            m_made.Price(CostOf(candidate.plan, m_cluster, *candidate.table, seconds));
    }

    static bool LacksRings(const Candidate& candidate)
    {
        return candidate.isTimed && !candidate.isRingMeasured &&
               candidate.plan.HasReplicasAcross() &&
               !FindSchedule(candidate.plan.schedule)->isAsynchronous;
    }

    /// Measures the rings over the WAN of selected plans, for all timed plans that have the same.
    /// Returns whether there were any to measure.
    bool MeasureRings(const std::vector<std::size_t>& selected)
    {
        const auto ringsOf = [this](std::size_t index)
        { return RingProbe::KeyOf(m_candidates[index].plan, *m_candidates[index].table); };
        std::map<RingProbe::Key, std::vector<std::size_t>> missing; // candidates by rings
        for (const std::size_t index : selected)
        {
            if (LacksRings(m_candidates[index]))
            {
                missing[ringsOf(index)];
            }
        }
        for (std::size_t index = 0; index < m_candidates.size() && !missing.empty(); ++index)
        {
            const auto found =
                LacksRings(m_candidates[index]) ? missing.find(ringsOf(index)) : missing.end();
            if (found != missing.end())
            {
                found->second.push_back(index);
            }
        }
        std::vector<std::vector<std::size_t>> slots;
        for (auto& [rings, candidates] : missing)
        {
            slots.push_back(std::move(candidates));
        }
        OnAllThreads(
            m_options.threads,
            slots.size(),
            [&](std::size_t slot)
            {
                for (const std::size_t index : slots[slot])
                {
                    SetMeasuredRings(m_candidates[index]);
                }
            },
            [](double) {});
        return !slots.empty();
    }

    void SetMeasuredRings(Candidate& candidate)
    {
        const TrainingPlan& plan = candidate.plan;
        const auto seconds = m_ringProbe.SecondsOf(plan, *candidate.table);
        const PlanEstimate estimate = EstimatePlan(
            plan, m_job, m_cluster, m_ways, *candidate.table, InFlightOf(plan), seconds);
        const double after = estimate.seconds - estimate.pipelineSeconds;
        SetSeconds(candidate, candidate.estimate.pipelineSeconds + after);
        candidate.isRingMeasured = true;
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
            if (m_options.timedOperations > 0)
            {
                Time(candidate);
                candidate.isTimed = true;
            }
            if (LacksRings(candidate))
            {
                SetMeasuredRings(candidate);
            }
            ranked[slot].estimate = candidate.estimate;
        }
    }

    template <typename Work>
    void OnThreads(std::size_t slots, Part part, Work work) const
    {
        OnAllThreads(m_options.threads, slots, work, [&](double share) { Report(part, share); });
    }

    std::vector<RankedPlan> FrontOf(const std::vector<RankedPlan>& byTime) const
    {
        std::vector<RankedPlan> front;
        for (const RankedPlan& plan : byTime)
        {
            if (front.empty() || m_made.Price(plan.cost) < m_made.Price(front.back().cost))
            {
                front.push_back(plan);
            }
        }
        return front;
    }

    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const PlanSearchOptions& m_options;
    ClusterWays m_ways;
    HopProbe m_hopProbe;
    RingProbe m_ringProbe;
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
