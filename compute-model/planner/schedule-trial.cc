// SPDX-License-Identifier: GPL-2.0-only
#include "planner/schedule-trial.h"

#include "planner/on-all-threads.h"
#include "planner/plan-memory.h"
#include "planner/plan-simulation.h"
#include "planner/short-iterations.h"
#include "planner/stage-gpus.h"
#include "schedule/cap-ladder.h"
#include "schedule/schedule-catalogue.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace geotrain
{

namespace
{

/// Of a smaller cap, and of a plain order. It leaves room to the hundredth that nothing loses, since
/// no two iterations are quite alike.
constexpr double leastGain = 0.005;

/// Microbatches of the longer iteration of trials in short.
constexpr std::uint32_t microbatchesOfTrials = 96;

/// Most forwards in the iterations of one trial.
constexpr std::uint64_t mostForwards = 12288;

/// Most forwards in all trials of caps with which finer steps than a quarter are tried.
constexpr std::uint64_t mostForwardsOfFineSteps = 20480;

/// Most forwards in an iteration of trials with all replicas. In trials of more forwards, replicas
/// that are alike are taken to run alike.
constexpr std::uint64_t mostForwardsOfWhole = 2048;

/// Two iterations are measured, over windows that are open, since no two are quite alike.
constexpr MeasuredIterations warm{1, 2, 0};

bool
IsOfAKindToTry(const TrainingPlan& plan)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    return schedule != nullptr && schedule->knowsTurns && !plan.customOrder &&
           plan.dataParallelism == DataParallelism::Replicated && plan.pipelineStages > 1 &&
           !plan.HasReplicasAcross();
}

/// Returns the plan with each of the caps to try, its own first.
std::vector<TrainingPlan>
WithItsCaps(const TrainingPlan& plan, std::uint64_t forwards)
{
    std::vector<TrainingPlan> plans{plan};
    if (plan.memoryCap > plan.pipelineStages)
    {
        const bool isLittleWork =
            forwards * (plan.memoryCap - plan.pipelineStages) <= mostForwardsOfFineSteps;
        const std::uint32_t part = isLittleWork ? plan.memoryCap : 4;
        for (const std::uint32_t cap : CapLadder(plan.memoryCap, plan.pipelineStages, part))
        {
            plans.push_back(plan);
            plans.back().memoryCap = cap;
        }
        plans.erase(plans.begin());
    }
    return plans;
}

/// WrittenMemory is the memory that the written plan takes.
class WrittenMemory
{
  public:
    WrittenMemory(const TrainingPlan& plan, const PlanInputs& inputs)
        : m_job(inputs.job),
          m_gpus(GpusOfStages(plan, inputs.cluster))
    {
        const PreparedPlan prepared = PreparePlan(
            m_job, inputs.cluster, plan, {&inputs.table, nullptr, inputs.orders});
        m_caps = plan.memoryCap == 0
                     ? prepared.order.activationCap
                     : std::vector<std::uint32_t>(plan.pipelineStages, plan.memoryCap);
        m_chunks = static_cast<std::uint32_t>(prepared.workerOfStage.size()) / plan.pipelineStages;
        m_fits =
            !PlanMemory(m_job).LackOf(plan, inputs.table, m_gpus, prepared.order.activationCap);
    }

    /// Returns whether a plain plan holds no more activations, and fits the GPUs if the written one
    /// does.
    bool Holds(const TrainingPlan& plain, const StageTable& table) const
    {
        const auto held = InFlightOf(plain);
        return std::equal(held.begin(),
                          held.end(),
                          m_caps.begin(),
                          [this](std::uint32_t activations, std::uint32_t cap)
                          { return activations * m_chunks <= cap; }) &&
               (!m_fits || !PlanMemory(m_job).LackOf(plain, table, m_gpus, held));
    }

  private:
    const TrainingJob& m_job;
    StageGpus m_gpus;
    std::vector<std::uint32_t> m_caps; ///< by worker, of its stages
    std::uint32_t m_chunks = 1;        ///< stages of a worker
    bool m_fits = true;
};

/// Returns a plan of GPipe with one stage per worker, whose workers hold as many layers as those of
/// `plan`.
TrainingPlan
PlainPlanOf(const TrainingPlan& plan)
{
    TrainingPlan plain = plan;
    plain.schedule = "gpipe";
    plain.memoryCap = 0;
    plain.warmupFactor = 1;
    plain.virtualStages = 1;
    if (!plan.layersPerStage.empty())
    {
        const std::vector<std::uint32_t> workers = WorkersOfStages(plan);
        plain.layersPerStage.assign(plan.pipelineStages, 0);
        for (std::size_t stage = 0; stage < workers.size(); ++stage)
        {
            plain.layersPerStage[workers[stage]] += plan.layersPerStage[stage];
        }
    }
    return plain;
}

/// Returns 1F1B with warm-ups of all depths up to one that holds all microbatches, in steps of up to a
/// quarter, and GPipe.
std::vector<TrainingPlan>
PlainPlans(const TrainingPlan& gpipe)
{
    std::vector<TrainingPlan> plans;
    TrainingPlan plain = gpipe;
    plain.schedule = "1f1b";
    bool isDeepest = false;
    while (!isDeepest)
    {
        plans.push_back(plain);
        isDeepest = InFlightOf(plain).front() == plain.microbatches;
        plain.warmupFactor += std::max(1U, plain.warmupFactor / 4);
    }
    plans.push_back(gpipe);
    return plans;
}

/// A Trial is a plan with its table and its time.
struct Trial
{
    TrainingPlan plan;
    const StageTable* table;
    double seconds = 0;
};

/// Takes the fastest of the trials from `begin` on, if it is faster than the chosen one.
void
TakeFaster(Trial& chosen,
           std::vector<Trial>::const_iterator begin,
           std::vector<Trial>::const_iterator end)
{
    const auto fastest = std::min_element(
        begin, end, [](const Trial& a, const Trial& b) { return a.seconds < b.seconds; });
    if (fastest != end && fastest->seconds * (1 + leastGain) < chosen.seconds)
    {
        chosen = *fastest;
    }
}

} // namespace

std::optional<TrainingPlan>
FastestInItsMemory(const TrainingPlan& plan, const PlanInputs& inputs)
{
    if (!IsOfAKindToTry(plan))
    {
        return plan;
    }
    const ShortIterations lengths(plan, microbatchesOfTrials);
    const std::uint64_t forwards = lengths.Forwards(plan, inputs.cluster);
    if (forwards > mostForwards)
    {
        return std::nullopt;
    }
    std::vector<Trial> trials;
    for (const TrainingPlan& own : WithItsCaps(plan, forwards))
    {
        trials.push_back({own, &inputs.table});
    }
    const auto ownTrials = static_cast<std::ptrdiff_t>(trials.size());
    const TrainingPlan gpipe = PlainPlanOf(plan);
    const StageTable plainTable = MakeStageTable(inputs.job, inputs.cluster, gpipe);
    const WrittenMemory memory(plan, inputs);
    for (const TrainingPlan& plain : PlainPlans(gpipe))
    {
        // A warm-up without an end in the shorter iteration tells nothing of a steady state.
        const bool isTooDeep = lengths.shorter < lengths.longer && plain.schedule == "1f1b" &&
                               InFlightOf(plain).front() > lengths.shorter;
        if (!isTooDeep && memory.Holds(plain, plainTable))
        {
            trials.push_back({plain, &plainTable});
        }
    }
    const bool isWhole = lengths.longer == lengths.shorter &&
                         std::uint64_t{plan.microbatches} * plan.dataParallel *
                                 plan.pipelineStages <=
                             mostForwardsOfWhole;
    OnAllThreads(
        std::thread::hardware_concurrency(),
        trials.size() > 1 ? trials.size() : 0,
        [&](std::size_t slot)
        {
            Trial& trial = trials[slot];
            const PlanInputs own{inputs.job, inputs.cluster, *trial.table, inputs.orders};
            trial.seconds =
                isWhole ? SimulateWholePlan(trial.plan, own, warm).iterationTime.ToSeconds()
                        : lengths.Simulate(trial.plan, own, warm);
        },
        [](double) {});
    Trial chosen = trials.front();
    TakeFaster(chosen, trials.begin(), trials.begin() + ownTrials);
    TakeFaster(chosen, trials.begin() + ownTrials, trials.end());
    return chosen.plan;
}

} // namespace geotrain
