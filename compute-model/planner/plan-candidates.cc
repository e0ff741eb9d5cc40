// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-candidates.h"

#include "planner/on-all-threads.h"
#include "planner/plan-visit.h"
#include "planner/stage-gpus.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <tuple>

namespace geotrain
{

bool
IsSamePlan(const TrainingPlan& a, const TrainingPlan& b)
{
    const auto rest = [](const TrainingPlan& plan)
    {
        return std::tie(plan.pipelineStages,
                        plan.dataParallel,
                        plan.tensorParallel,
                        plan.microbatchSize,
                        plan.schedule,
                        plan.warmupFactor,
                        plan.virtualStages,
                        plan.memoryCap,
                        plan.sharing,
                        plan.crossDc,
                        plan.hosts,
                        plan.layersPerStage);
    };
    return rest(a) == rest(b) && (a.sharing == WanSharing::Spatial || a.cellSize == b.cellSize);
}

std::set<std::uint32_t>
DataCentersOf(const TrainingPlan& plan)
{
    std::set<std::uint32_t> dataCenters;
    for (const TrainingPlan::Host& host : plan.hosts)
    {
        dataCenters.insert(host.dataCenter);
    }
    return dataCenters;
}

PlanCandidates::PlanCandidates(const TrainingJob& job,
                               const Cluster& cluster,
                               const ClusterWays& ways,
                               OrderCache& orders)
    : m_job(job),
      m_cluster(cluster),
      m_ways(ways),
      m_orders(orders),
      m_tables(job, cluster)
{
}

std::vector<PruneReason>
PlanCandidates::Add(const PlanSpace& space,
                    unsigned threads,
                    const std::function<void(double share)>& report)
{
    const std::size_t depths = space.pipelineStages.size();
    std::vector<std::vector<PruneReason>> pruned(depths);
    std::vector<std::vector<Candidate>> candidates(depths);
    for (std::size_t depth = 0; depth < depths; ++depth)
    {
        m_tablesOfDepth.emplace_back(m_job, m_cluster);
    }
    OnAllThreads(
        threads,
        depths,
        [&](std::size_t depth)
        {
            PlanSpace one = space;
            one.pipelineStages = {space.pipelineStages[depth]};
            pruned[depth] =
                VisitPlans(one,
                           m_job,
                           m_cluster,
                           m_tablesOfDepth[depth],
                           [&](const TrainingPlan& plan, const StageTable& table, const auto& held)
                           { candidates[depth].push_back(Screened(plan, table, held)); });
        },
        report);
    for (auto& ofDepth : candidates)
    {
        std::move(ofDepth.begin(), ofDepth.end(), std::back_inserter(m_candidates));
    }
    for (const TrainingPlan& plan : space.given)
    {
        AddGiven(plan);
    }
    return Joined(pruned);
}

Candidate
PlanCandidates::Screened(const TrainingPlan& plan,
                         const StageTable& table,
                         const std::vector<std::uint32_t>& held) const
{
    Candidate candidate;
    candidate.plan = plan;
    candidate.table = &table;
    candidate.estimate = EstimatePlan(plan, {m_job, m_cluster, table}, m_ways, held);
    candidate.screenedSeconds = candidate.estimate.seconds;
    candidate.price =
        PriceOf(CostOf(plan, m_cluster, table, candidate.estimate.seconds), m_cluster);
    return candidate;
}

/// Adds a plan that isn't one of the combinations. One that is runs as such.
void
PlanCandidates::AddGiven(TrainingPlan plan)
{
    if (plan.Sequences() != m_job.globalBatch)
    {
        return;
    }
    ForgetEvenLayers(plan);
    const auto same = std::find_if(m_candidates.begin(),
                                   m_candidates.end(),
                                   [&plan](const Candidate& candidate)
                                   { return IsSamePlan(candidate.plan, plan); });
    if (same != m_candidates.end())
    {
        same->isGiven = true;
        return;
    }
    const StageTable& table = TableOf(plan);
    if (Fits(plan, table))
    {
        m_candidates.push_back(Screened(plan, table, InFlightOf(plan)));
        m_candidates.back().isGiven = true;
    }
}

void
PlanCandidates::ForgetEvenLayers(TrainingPlan& plan)
{
    StageChoice choice = ChoiceOf(plan);
    choice.layersPerStage.clear();
    const StageTable& even = m_tables.Of(choice);
    if (even.refusal.empty() && HaveLayers(even.shares, plan.layersPerStage))
    {
        plan.layersPerStage.clear();
    }
}

const StageTable&
PlanCandidates::TableOf(const TrainingPlan& plan)
{
    return m_tables.Of(ChoiceOf(plan));
}

bool
PlanCandidates::Fits(const TrainingPlan& plan, const StageTable& table)
{
    try
    {
        const auto prepared = PreparePlan(m_job, m_cluster, plan, {&table, &m_ways, &m_orders});
        const StageGpus gpus = GpusOfStages(plan, m_cluster);
        for (std::size_t worker = 0; worker < gpus.size(); ++worker)
        {
            if (prepared.memory[worker].Total() > SmallestMemory(gpus[worker]))
            {
                return false;
            }
        }
    }
    catch (const std::invalid_argument&)
    {
        return false;
    }
    return true;
}

} // namespace geotrain
