// SPDX-License-Identifier: GPL-2.0-only
#include "planner/schedule-trial.h"

#include "planner/on-all-threads.h"
#include "planner/plan-memory.h"
#include "planner/plan-simulation.h"
#include "planner/stage-gpus.h"
#include "schedule/cap-ladder.h"
#include "schedule/order-simulation.h"
#include "schedule/schedule-catalogue.h"
#include "training-plan/prepare-plan.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

/// Of a smaller cap, and of a plain order. It leaves room to the hundredth that nothing loses, since
/// no two iterations are quite alike.
constexpr double leastGain = 0.005;

/// Most forwards of an iteration with which plans are tried; trials then take some seconds.
constexpr std::uint64_t mostForwards = 2048;

/// Most forwards in all trials with which finer steps than a quarter are tried.
constexpr std::uint64_t mostForwardsOfFineSteps = 10 * mostForwards;

/// Most forwards in the trials of plain orders. Beyond, every second depth is left out, and again.
constexpr std::uint64_t mostForwardsOfPlainOnes = 2 * mostForwards;

/// A plain order is tried where the searches' own model has at most this many times the plan's time
/// for it. What that model doesn't know has been up to a fifth.
constexpr double mostOfOwn = 1.25;

/// Two iterations are measured, over windows that are open, since no two are quite alike.
constexpr MeasuredIterations warm{1, 2, 0};

std::uint64_t
Forwards(const TrainingPlan& plan)
{
    return std::uint64_t{plan.microbatches} * plan.pipelineStages * plan.dataParallel;
}

bool
IsTried(const TrainingPlan& plan)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    return schedule != nullptr && schedule->knowsTurns && !plan.customOrder &&
           plan.dataParallelism == DataParallelism::Replicated && plan.pipelineStages > 1 &&
           plan.hosts.size() > 1 && !plan.HasReplicasAcross() && Forwards(plan) <= mostForwards;
}

/// Returns the caps to try, in as fine steps as the work of the trials allows; the plan's own first.
std::vector<std::uint32_t>
CapsToTry(const TrainingPlan& plan)
{
    std::uint32_t part = 4;
    auto caps = CapLadder(plan.memoryCap, plan.pipelineStages, part);
    while (part < plan.memoryCap)
    {
        part *= 2;
        auto finer = CapLadder(plan.memoryCap, plan.pipelineStages, part);
        if (Forwards(plan) * finer.size() > mostForwardsOfFineSteps)
        {
            break;
        }
        caps = std::move(finer);
    }
    return caps;
}

/// Returns the plan with each of its caps.
std::vector<TrainingPlan>
WithCaps(const TrainingPlan& plan)
{
    std::vector<TrainingPlan> tried{plan};
    if (plan.memoryCap > plan.pipelineStages)
    {
        tried.clear();
        for (const std::uint32_t cap : CapsToTry(plan))
        {
            tried.push_back(plan);
            tried.back().memoryCap = cap;
        }
    }
    return tried;
}

/// Returns a plain plan whose workers hold as many layers as those of `plan`.
TrainingPlan
PlainPlan(const TrainingPlan& plan)
{
    TrainingPlan plain = plan;
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

/// Returns 1F1B with warm-ups of all depths, in steps of up to a quarter, and GPipe, where no worker
/// holds more than its part of `caps`, the activations of its `chunks` stages.
std::vector<TrainingPlan>
PlainPlansWithin(TrainingPlan plain, const std::vector<std::uint32_t>& caps, std::uint32_t chunks)
{
    const auto fits = [&](const TrainingPlan& tried)
    {
        const auto held = InFlightOf(tried);
        return std::equal(held.begin(),
                          held.end(),
                          caps.begin(),
                          [chunks](std::uint32_t activations, std::uint32_t cap)
                          { return activations * chunks <= cap; });
    };
    std::vector<TrainingPlan> plans;
    plain.schedule = "1f1b";
    while (fits(plain))
    {
        plans.push_back(plain);
        if (InFlightOf(plain).front() == plain.microbatches)
        {
            break;
        }
        plain.warmupFactor += std::max(1U, plain.warmupFactor / 4);
    }
    plain.warmupFactor = 1;
    plain.schedule = "gpipe";
    if (fits(plain))
    {
        plans.push_back(plain);
    }
    return plans;
}

void
EraseEverySecond(std::vector<TrainingPlan>& plans)
{
    for (std::size_t slot = 1; slot < plans.size(); ++slot)
    {
        plans.erase(plans.begin() + static_cast<std::ptrdiff_t>(slot));
    }
}

/// A ScheduleTrial tries one plan's caps and plain orders.
class ScheduleTrial
{
  public:
    ScheduleTrial(const TrainingPlan& plan,
                  const TrainingJob& job,
                  const Cluster& cluster,
                  const StageTable& table,
                  OrderCache& orders)
        : m_plan(plan),
          m_job(job),
          m_cluster(cluster),
          m_table(table),
          m_orders(orders),
          m_plain(PlainPlan(plan)),
          m_plainTable(MakeStageTable(job, cluster, m_plain))
    {
    }

    TrainingPlan Fastest()
    {
        auto plans = WithCaps(m_plan); // the plan as it is first
        const auto own = static_cast<std::ptrdiff_t>(plans.size());
        const auto plain = PlainOnes();
        plans.insert(plans.end(), plain.begin(), plain.end());
        if (plans.size() == 1)
        {
            return m_plan;
        }
        const auto seconds = Simulate(plans);
        const auto isFaster = [](double one, double other)
        { return one * (1 + leastGain) < other; };
        const auto firstPlain = seconds.begin() + own;
        auto chosen = std::min_element(seconds.begin(), firstPlain);
        chosen = isFaster(*chosen, seconds.front()) ? chosen : seconds.begin();
        const auto fastestPlain = std::min_element(firstPlain, seconds.end());
        if (fastestPlain != seconds.end() && isFaster(*fastestPlain, *chosen))
        {
            chosen = fastestPlain;
        }
        return plans[static_cast<std::size_t>(chosen - seconds.begin())];
    }

  private:
    const StageTable& TableOf(const TrainingPlan& plan) const
    {
        return plan.schedule == m_plan.schedule ? m_table : m_plainTable;
    }

    /// Returns plain plans in the memory of the plan that are worth a simulation.
    std::vector<TrainingPlan> PlainOnes()
    {
        const PreparedPlan own = Prepared(m_plan);
        const auto chunks =
            static_cast<std::uint32_t>(own.workerOfStage.size()) / m_plan.pipelineStages;
        auto plans = PlainPlansWithin(m_plain, own.order.activationCap, chunks);
        PlanMemory memory(m_job);
        const StageGpus gpus = GpusOfStages(m_plan, m_cluster);
        const bool isTooLarge =
            memory.LackOf(m_plan, m_table, gpus, own.order.activationCap).has_value();
        const double most = mostOfOwn * ModelSeconds(m_plan, own);
        const auto isHopeless = [&](const TrainingPlan& plan)
        {
            return (!isTooLarge && memory.LackOf(plan, m_plainTable, gpus, InFlightOf(plan))) ||
                   ModelSeconds(plan, Prepared(plan)) > most;
        };
        plans.erase(std::remove_if(plans.begin(), plans.end(), isHopeless), plans.end());
        while (plans.size() > 2 && Forwards(m_plan) * plans.size() > mostForwardsOfPlainOnes)
        {
            EraseEverySecond(plans);
        }
        return plans;
    }

    PreparedPlan Prepared(const TrainingPlan& plan)
    {
        return PreparePlan(m_job, m_cluster, plan, {&TableOf(plan), nullptr, &m_orders});
    }

    /// Returns what the searches' model says of a plan, with its pipelines' turns.
    double ModelSeconds(const TrainingPlan& plan, const PreparedPlan& prepared) const
    {
        ScheduleRequest request{ShapeOf(plan), prepared.Times()};
        request.cellSize = ShapeOf(m_plan).cellSize;
        return SimulateOrder(prepared.order, request).Makespan().ToSeconds();
    }

    std::vector<double> Simulate(const std::vector<TrainingPlan>& plans)
    {
        std::vector<double> seconds(plans.size());
        OnAllThreads(
            std::thread::hardware_concurrency(),
            plans.size(),
            [&](std::size_t slot)
            {
                seconds[slot] =
                    SimulateWholePlan(
                        plans[slot], m_job, m_cluster, TableOf(plans[slot]), m_orders, warm)
                        .iterationTime.ToSeconds();
            },
            [](double) {});
        return seconds;
    }

    const TrainingPlan& m_plan;
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const StageTable& m_table;
    OrderCache& m_orders;
    TrainingPlan m_plain;
    StageTable m_plainTable;
};

} // namespace

TrainingPlan
FastestInItsMemory(const TrainingPlan& plan,
                   const TrainingJob& job,
                   const Cluster& cluster,
                   const StageTable& table,
                   OrderCache& orders)
{
    return IsTried(plan) ? ScheduleTrial(plan, job, cluster, table, orders).Fastest() : plan;
}

} // namespace geotrain
