// SPDX-License-Identifier: GPL-2.0-only
#include "planner/schedule-trial.h"

#include "planner/on-all-threads.h"
#include "planner/plain-plans.h"
#include "planner/plan-memory.h"
#include "planner/plan-simulation.h"
#include "planner/stage-gpus.h"
#include "planner/trial-length.h"
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

/// Most forwards in all trials with which finer steps than a quarter are tried.
constexpr std::uint64_t mostForwardsOfFineSteps = 10 * mostForwardsOfWhole;

/// Most forwards in the trials of plain orders. Beyond, every second depth is left out, and again.
constexpr std::uint64_t mostForwardsOfPlainOnes = 2 * mostForwardsOfWhole;

/// Most caps, or depths, that are tried between the best one and each neighbour where iterations are
/// shortened.
constexpr std::uint32_t mostBetween = 3;

/// A plain order is tried where the searches' own model has at most this many times the plan's time
/// for it. What that model doesn't know has been up to a fifth.
constexpr double mostOfOwn = 1.25;

/// Two iterations are measured, over windows that are open, since no two are quite alike.
constexpr MeasuredIterations warm{1, 2, 0};

/// The same for iterations that are shortened, of which there are two lengths.
constexpr MeasuredIterations warmInPart{1, 1, 0};

bool
IsOfAKindToTry(const TrainingPlan& plan)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    return schedule != nullptr && schedule->knowsTurns && !plan.customOrder &&
           plan.dataParallelism == DataParallelism::Replicated && plan.pipelineStages > 1 &&
           !plan.HasReplicasAcross();
}

/// Returns the caps to try, in as fine steps as the work of the trials allows; the plan's own first.
std::vector<std::uint32_t>
CapsToTry(const TrainingPlan& plan, std::uint64_t forwards)
{
    std::uint32_t part = 4;
    auto caps = CapLadder(plan.memoryCap, plan.pipelineStages, part);
    while (part < plan.memoryCap)
    {
        part *= 2;
        auto finer = CapLadder(plan.memoryCap, plan.pipelineStages, part);
        if (forwards * finer.size() > mostForwardsOfFineSteps)
        {
            break;
        }
        caps = std::move(finer);
    }
    return caps;
}

void
EraseEverySecond(std::vector<TrainingPlan>& plans)
{
    for (std::size_t slot = 1; slot < plans.size(); ++slot)
    {
        plans.erase(plans.begin() + static_cast<std::ptrdiff_t>(slot));
    }
}

/// Returns up to mostBetween numbers between `best` and each of its neighbours among `tried`.
std::vector<std::uint32_t>
Around(std::uint32_t best, std::vector<std::uint32_t> tried)
{
    std::sort(tried.begin(), tried.end());
    std::vector<std::uint32_t> around;
    for (std::size_t slot = 0; slot + 1 < tried.size(); ++slot)
    {
        const std::uint32_t low = tried[slot];
        const std::uint32_t high = tried[slot + 1];
        const std::uint32_t step = (high - low + mostBetween) / (mostBetween + 1);
        for (std::uint32_t one = low + step; one < high && (low == best || high == best);
             one += step)
        {
            around.push_back(one);
        }
    }
    return around;
}

bool
IsSame(const StageOrder& some, const StageOrder& others)
{
    return std::equal(some.begin(),
                      some.end(),
                      others.begin(),
                      others.end(),
                      [](const Operation& a, const Operation& b)
                      { return a == b && a.gradientExpected == b.gradientExpected; });
}

bool
AreSame(const std::vector<StageOrder>& some, const std::vector<StageOrder>& others)
{
    return std::equal(some.begin(), some.end(), others.begin(), others.end(), &IsSame);
}

/// Returns whether two orders of a schedule run alike: what workers may hold matters only where they
/// deviate from their order.
bool
RunAlike(const ScheduleOrder& a, const ScheduleOrder& b)
{
    return AreSame(a.stages, b.stages) &&
           std::equal(a.ofPipeline.begin(),
                      a.ofPipeline.end(),
                      b.ofPipeline.begin(),
                      b.ofPipeline.end(),
                      &AreSame) &&
           a.deviates == b.deviates && (!a.deviates || a.activationCap == b.activationCap);
}

/// A Trial is a plan with its time.
struct Trial
{
    TrainingPlan plan;
    double seconds;
};

bool
IsFaster(const Trial& one, const Trial& other)
{
    return one.seconds * (1 + leastGain) < other.seconds;
}

/// Returns the fastest trial, the first of equal ones.
const Trial&
FastestOf(const std::vector<Trial>& trials)
{
    return *std::min_element(trials.begin(),
                             trials.end(),
                             [](const Trial& a, const Trial& b) { return a.seconds < b.seconds; });
}

/// A ScheduleTrial tries one plan's caps and plain orders.
class ScheduleTrial
{
  public:
    ScheduleTrial(const TrainingPlan& plan,
                  const TrainingJob& job,
                  const Cluster& cluster,
                  const StageTable& table,
                  const PreparedPlan& prepared,
                  const TrialLength& length,
                  OrderCache& orders)
        : m_plan(plan),
          m_job(job),
          m_cluster(cluster),
          m_table(table),
          m_own(prepared),
          m_length(length),
          m_orders(orders),
          m_plain(PlainPlanOf(plan)),
          m_plainTable(MakeStageTable(job, cluster, m_plain)),
          m_chunks(static_cast<std::uint32_t>(m_own.workerOfStage.size()) / plan.pipelineStages)
    {
    }

    TriedPlan Fastest()
    {
        const auto plans = OwnOnes(); // the largest cap first
        const auto plainPlans = PlainOnes();
        if (plans.size() + plainPlans.size() == 1)
        {
            return {m_plan};
        }
        auto both = plans;
        both.insert(both.end(), plainPlans.begin(), plainPlans.end());
        const auto trials = Simulate(both);
        const auto firstPlain = trials.begin() + static_cast<std::ptrdiff_t>(plans.size());
        std::vector<Trial> own(trials.begin(), firstPlain);
        std::vector<Trial> plain(firstPlain, trials.end());
        if (!m_length.isWhole)
        {
            TryAround(own, &TrainingPlan::memoryCap);
            TryAround(plain, &TrainingPlan::warmupFactor);
        }
        Trial chosen = IsFaster(FastestOf(own), own.front()) ? FastestOf(own) : own.front();
        if (!plain.empty() && IsFaster(FastestOf(plain), chosen))
        {
            chosen = FastestOf(plain);
        }
        return {chosen.plan, m_length.longer, own.front().plan.memoryCap};
    }

  private:
    const StageTable& TableOf(const TrainingPlan& plan) const
    {
        return plan.schedule == m_plan.schedule ? m_table : m_plainTable;
    }

    /// Returns the plan with each of its caps.
    std::vector<TrainingPlan> OwnOnes() const
    {
        if (m_plan.memoryCap <= m_plan.pipelineStages)
        {
            return {m_plan};
        }
        std::vector<TrainingPlan> tried;
        for (const std::uint32_t cap :
             m_length.isWhole ? CapsToTry(m_plan, m_length.forwards)
                              : CapLadder(std::min(m_plan.memoryCap, m_length.shorter * m_chunks),
                                          m_plan.pipelineStages,
                                          2))
        {
            tried.push_back(m_plan);
            tried.back().memoryCap = cap;
        }
        return tried;
    }

    /// Adds trials of the fastest plan with a number between its own and its neighbours'.
    void TryAround(std::vector<Trial>& trials, std::uint32_t TrainingPlan::*number)
    {
        if (trials.empty())
        {
            return;
        }
        const TrainingPlan best = FastestOf(trials).plan;
        std::vector<std::uint32_t> tried;
        for (const Trial& trial : trials)
        {
            if (trial.plan.schedule == best.schedule)
            {
                tried.push_back(trial.plan.*number);
            }
        }
        std::vector<TrainingPlan> around;
        for (const std::uint32_t one : Around(best.*number, tried))
        {
            around.push_back(best);
            around.back().*number = one;
        }
        const auto more = Simulate(around);
        trials.insert(trials.end(), more.begin(), more.end());
    }

    /// Returns how much each worker may hold, of its stages.
    std::vector<std::uint32_t> Allowed() const
    {
        return m_plan.memoryCap == 0
                   ? m_own.order.activationCap
                   : std::vector<std::uint32_t>(m_plan.pipelineStages, m_plan.memoryCap);
    }

    /// Returns plain plans in the memory of the plan that are worth a simulation.
    std::vector<TrainingPlan> PlainOnes()
    {
        auto plans = PlainPlansWithin(m_plain, Allowed(), m_chunks);
        PlanMemory memory(m_job);
        const StageGpus gpus = GpusOfStages(m_plan, m_cluster);
        const bool isTooLarge =
            memory.LackOf(m_plan, m_table, gpus, m_own.order.activationCap).has_value();
        const double most = mostOfOwn * ModelSeconds(m_plan, m_own);
        const auto isHopeless = [&](const TrainingPlan& plan)
        {
            return IsTooDeep(plan) ||
                   (!isTooLarge && memory.LackOf(plan, m_plainTable, gpus, InFlightOf(plan))) ||
                   ModelSeconds(plan, Prepared(plan)) > most;
        };
        plans.erase(std::remove_if(plans.begin(), plans.end(), isHopeless), plans.end());
        while (plans.size() > 2 && m_length.forwards * plans.size() > mostForwardsOfPlainOnes)
        {
            EraseEverySecond(plans);
        }
        return plans;
    }

    /// Returns whether a warm-up has no end in the shorter iteration, and tells nothing of a steady
    /// state.
    bool IsTooDeep(const TrainingPlan& plan) const
    {
        return !m_length.isWhole && plan.schedule == "1f1b" &&
               InFlightOf(plan).front() > m_length.shorter;
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

    /// Returns the lengths of the iterations of a trial, in microbatches.
    std::vector<std::uint32_t> Lengths() const
    {
        return m_length.shorter == m_length.longer
                   ? std::vector<std::uint32_t>{m_length.longer}
                   : std::vector<std::uint32_t>{m_length.longer, m_length.shorter};
    }

    double SecondsOver(TrainingPlan plan, std::uint32_t microbatches) const
    {
        plan.microbatches = microbatches;
        const PlanSimulation simulation =
            m_length.isWhole
                ? SimulateWholePlan(plan, m_job, m_cluster, TableOf(plan), m_orders, warm)
                : SimulatePlan(
                      plan, m_job, m_cluster, TableOf(plan), m_orders, nullptr, warmInPart);
        return simulation.iterationTime.ToSeconds();
    }

    double Seconds(const TrainingPlan& plan) const
    {
        std::vector<double> seconds;
        for (const std::uint32_t microbatches : Lengths())
        {
            seconds.push_back(SecondsOver(plan, microbatches));
        }
        return m_length.Extrapolated(plan.microbatches, seconds.front(), seconds.back());
    }

    /// Returns a plan's orders in the iterations of its trial.
    std::vector<ScheduleOrder> OrdersOf(TrainingPlan plan)
    {
        std::vector<ScheduleOrder> orders;
        for (const std::uint32_t microbatches : Lengths())
        {
            plan.microbatches = microbatches;
            orders.push_back(Prepared(plan).order);
        }
        return orders;
    }

    /// Returns for each plan the first one whose orders are the same.
    std::vector<std::size_t> FirstAlike(const std::vector<TrainingPlan>& plans)
    {
        std::vector<std::vector<ScheduleOrder>> orders(plans.size());
        ForAll(plans.size(), [&](std::size_t slot) { orders[slot] = OrdersOf(plans[slot]); });
        std::vector<std::size_t> first;
        for (std::size_t slot = 0; slot < plans.size(); ++slot)
        {
            std::size_t alike = 0;
            while (plans[alike].schedule != plans[slot].schedule ||
                   !std::equal(
                       orders[alike].begin(), orders[alike].end(), orders[slot].begin(), &RunAlike))
            {
                ++alike;
            }
            first.push_back(alike);
        }
        return first;
    }

    std::vector<Trial> Simulate(const std::vector<TrainingPlan>& plans)
    {
        const std::vector<std::size_t> first = FirstAlike(plans);
        std::vector<double> seconds(plans.size());
        ForAll(plans.size(),
               [&](std::size_t slot)
               { seconds[slot] = first[slot] == slot ? Seconds(plans[slot]) : 0; });
        std::vector<Trial> trials;
        for (std::size_t slot = 0; slot < plans.size(); ++slot)
        {
            trials.push_back({plans[slot], seconds[first[slot]]});
        }
        return trials;
    }

    template <typename Work>
    static void ForAll(std::size_t slots, Work work)
    {
        OnAllThreads(std::thread::hardware_concurrency(), slots, work, [](double) {});
    }

    const TrainingPlan& m_plan;
    const TrainingJob& m_job;
    const Cluster& m_cluster;
    const StageTable& m_table;
    const PreparedPlan& m_own; ///< of m_plan
    const TrialLength m_length;
    OrderCache& m_orders;
    TrainingPlan m_plain;
    StageTable m_plainTable;
    std::uint32_t m_chunks; ///< virtual stages per worker
};

} // namespace

TriedPlan
FastestInItsMemory(const TrainingPlan& plan,
                   const TrainingJob& job,
                   const Cluster& cluster,
                   const StageTable& table,
                   OrderCache& orders)
{
    if (!IsOfAKindToTry(plan))
    {
        return {plan};
    }
    const PreparedPlan prepared = PreparePlan(job, cluster, plan, {&table, nullptr, &orders});
    const auto length = LengthOfTrials(plan, prepared.Times(), cluster);
    if (!length)
    {
        TriedPlan untried{plan};
        untried.isTooLarge = true;
        return untried;
    }
    return ScheduleTrial(plan, job, cluster, table, prepared, *length, orders).Fastest();
}

} // namespace geotrain
