// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-refinement.h"

#include "planner/on-all-threads.h"
#include "planner/stage-gpus.h"
#include "schedule/cap-ladder.h"
#include "training-plan/stage-table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

namespace geotrain
{

namespace
{

/// Plans that take at most this share longer than the best are changed. Smaller memory caps have made plans up to a
/// twelfth faster, and moved layers as well.
constexpr double shareOfNear = 0.15;

/// The share of the progress that is for memory caps. How many rounds of moved layers follow isn't known before.
constexpr double shareOfCaps = 0.7;

/// Most forwards in an iteration of a plan that is changed; its simulation then takes some tenths of a
/// second.
constexpr std::uint64_t mostForwardsOfChanged = 2048;

/// Returns whether the stages of a plan have unlike GPUs, over which its layers are balanced.
bool
MayMoveLayers(const TrainingPlan& plan, const Cluster& cluster)
{
    return plan.virtualStages == 1 && !plan.HasReplicasAcross() &&
           AreUnlike(GpusOfStages(plan, cluster));
}

} // namespace

PlanRefinement::PlanRefinement(const TrainingJob& job,
                               const Cluster& cluster,
                               PlanCandidates& made,
                               OrderCache& orders,
                               unsigned threads)
    : m_job(job),
      m_cluster(cluster),
      m_made(made),
      m_orders(orders),
      m_threads(threads)
{
}

RankedPlan
PlanRefinement::Run(const TrainingPlan& plan,
                    const StageTable& table,
                    const PlanEstimate& estimate) const
{
    RankedPlan ranked;
    ranked.plan = plan;
    ranked.estimate = estimate;
    ranked.simulation = SimulatePlan(plan, {m_job, m_cluster, table, &m_orders});
    ranked.cost = CostOf(plan, m_cluster, table, ranked.simulation.iterationTime.ToSeconds());
    return ranked;
}

bool
PlanRefinement::IsBetter(const RankedPlan& a, const RankedPlan& b) const
{
    return a.simulation.iterationTime != b.simulation.iterationTime
               ? a.simulation.iterationTime < b.simulation.iterationTime
               : PriceOf(a.cost, m_cluster) < PriceOf(b.cost, m_cluster);
}

std::vector<std::size_t>
PlanRefinement::Improve(const std::vector<std::size_t>& selected,
                        std::vector<RankedPlan>& ranked,
                        const std::function<void(double share)>& report)
{
    const auto slots = BestOfSchedules(selected, ranked);
    const auto before = ranked;
    std::vector<Variant> caps;
    for (const std::size_t slot : slots)
    {
        auto variants = WithSmallerCaps(slot, ranked[slot]);
        std::move(variants.begin(), variants.end(), std::back_inserter(caps));
    }
    TakeFaster(caps, ranked, [&](double share) { report(share * shareOfCaps); });

    std::vector<std::size_t> moving = slots;
    while (!moving.empty())
    {
        std::vector<Variant> moved;
        for (const std::size_t slot : moving)
        {
            auto variants = WithALayerMoved(slot, ranked[slot]);
            std::move(variants.begin(), variants.end(), std::back_inserter(moved));
        }
        const auto last = ranked;
        TakeFaster(moved, ranked, [](double) {});
        moving.erase(std::remove_if(moving.begin(),
                                    moving.end(),
                                    [&](std::size_t slot)
                                    { return IsSamePlan(ranked[slot].plan, last[slot].plan); }),
                     moving.end());
    }
    report(1);

    std::vector<std::size_t> changed;
    std::copy_if(slots.begin(),
                 slots.end(),
                 std::back_inserter(changed),
                 [&](std::size_t slot)
                 { return !IsSamePlan(ranked[slot].plan, before[slot].plan); });
    return changed;
}

/// Returns the slots of each schedule's best plan that is near the best of all and may change; of each order of data
/// centres, where layers may move, since their balance is not the same in all.
std::vector<std::size_t>
PlanRefinement::BestOfSchedules(const std::vector<std::size_t>& selected,
                                const std::vector<RankedPlan>& ranked) const
{
    std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::size_t> bestOf; // slots
    std::size_t best = 0;
    for (std::size_t slot = 0; slot < ranked.size(); ++slot)
    {
        best = IsBetter(ranked[slot], ranked[best]) ? slot : best;
        if (MayChange(m_made.All()[selected[slot]]))
        {
            const TrainingPlan& plan = ranked[slot].plan;
            const auto order = MayMoveLayers(plan, m_cluster) ? plan.DataCenterOfHosted()
                                                              : std::vector<std::uint32_t>();
            const auto [of, isFirst] = bestOf.emplace(std::pair{plan.schedule, order}, slot);
            of->second = IsBetter(ranked[slot], ranked[of->second]) ? slot : of->second;
        }
    }
    std::vector<std::size_t> slots;
    for (const auto& [kind, slot] : bestOf)
    {
        if (ranked[slot].simulation.iterationTime.ToSeconds() <=
            (1 + shareOfNear) * ranked[best].simulation.iterationTime.ToSeconds())
        {
            slots.push_back(slot);
        }
    }
    return slots;
}

/// Returns whether a candidate wasn't given, has something to change, and is little work to simulate.
bool
PlanRefinement::MayChange(const Candidate& candidate) const
{
    const TrainingPlan& plan = candidate.plan;
    const std::uint64_t forwards = std::uint64_t{plan.dataParallel} / AlikeCells(plan, m_cluster) *
                                   plan.pipelineStages * plan.microbatches;
    return !candidate.isGiven && forwards <= mostForwardsOfChanged &&
           (plan.memoryCap > plan.pipelineStages || MayMoveLayers(plan, m_cluster));
}

std::vector<PlanRefinement::Variant>
PlanRefinement::WithSmallerCaps(std::size_t slot, const RankedPlan& ranked)
{
    std::vector<Variant> variants;
    if (ranked.plan.memoryCap > ranked.plan.pipelineStages)
    {
        for (const std::uint32_t cap : CapLadder(ranked.plan.memoryCap, ranked.plan.pipelineStages))
        {
            variants.push_back({slot, ranked.plan, &m_made.TableOf(ranked.plan)});
            variants.back().plan.memoryCap = cap;
        }
        variants.erase(variants.begin()); // its own
    }
    return variants;
}

/// Returns the plans that have a layer more in a stage, and one less in a stage beside it, and fit into memory.
std::vector<PlanRefinement::Variant>
PlanRefinement::WithALayerMoved(std::size_t slot, const RankedPlan& ranked)
{
    std::vector<Variant> variants;
    if (!MayMoveLayers(ranked.plan, m_cluster))
    {
        return variants;
    }
    std::vector<std::uint32_t> layers;
    for (const StageShare& share : m_made.TableOf(ranked.plan).shares)
    {
        layers.push_back(share.layers);
    }
    for (std::size_t stage = 0; stage + 1 < layers.size(); ++stage)
    {
        for (const auto& [from, to] : {std::pair{stage, stage + 1}, std::pair{stage + 1, stage}})
        {
            TrainingPlan plan = ranked.plan;
            plan.layersPerStage = layers;
            --plan.layersPerStage[from];
            ++plan.layersPerStage[to];
            if (plan.layersPerStage[from] == 0)
            {
                continue;
            }
            m_made.ForgetEvenLayers(plan);
            const StageTable& table = m_made.TableOf(plan);
            if (table.refusal.empty() && m_made.Fits(plan, table))
            {
                variants.push_back({slot, plan, &table});
            }
        }
    }
    return variants;
}

/// Runs the variants, and replaces the plans of their slots by faster ones.
void
PlanRefinement::TakeFaster(const std::vector<Variant>& variants,
                           std::vector<RankedPlan>& ranked,
                           const std::function<void(double share)>& report) const
{
    std::vector<RankedPlan> ran(variants.size());
    OnAllThreads(
        m_threads,
        variants.size(),
        [&](std::size_t index)
        {
            const Variant& variant = variants[index];
            ran[index] = Run(variant.plan, *variant.table, ranked[variant.slot].estimate);
        },
        report);
    for (std::size_t index = 0; index < ran.size(); ++index)
    {
        RankedPlan& fastest = ranked[variants[index].slot];
        if (IsBetter(ran[index], fastest))
        {
            fastest = std::move(ran[index]);
        }
    }
}

} // namespace geotrain
