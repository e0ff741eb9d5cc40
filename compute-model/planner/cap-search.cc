// SPDX-License-Identifier: GPL-2.0-only
#include "planner/cap-search.h"

#include "planner/on-all-threads.h"
#include "planner/plan-simulation.h"
#include "schedule/cap-ladder.h"
#include "schedule/schedule-catalogue.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace geotrain
{

namespace
{

constexpr double leastGain = 0.01; ///< of a smaller cap

/// Most forwards of an iteration with which caps are tried; trials then take some seconds.
constexpr std::uint64_t mostForwards = 2048;

/// Most forwards in all trials with which finer steps than a quarter are tried.
constexpr std::uint64_t mostForwardsOfFineSteps = 10 * mostForwards;

/// Returns the caps to try, in as fine steps as the work of the trials allows.
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

/// Two iterations are measured, over windows that are open, since no two are quite alike.
constexpr MeasuredIterations warm{1, 2, 0};

} // namespace

std::uint32_t
FastestCap(const TrainingPlan& plan,
           const TrainingJob& job,
           const Cluster& cluster,
           const StageTable& table,
           OrderCache& orders)
{
    const ScheduleEntry* schedule = FindSchedule(plan.schedule);
    const std::uint64_t forwards =
        std::uint64_t{plan.microbatches} * plan.pipelineStages * plan.dataParallel;
    const bool isTried = schedule != nullptr && schedule->knowsTurns && !plan.customOrder &&
                         plan.dataParallelism == DataParallelism::Replicated &&
                         plan.memoryCap > plan.pipelineStages && forwards <= mostForwards;
    if (!isTried)
    {
        return plan.memoryCap;
    }
    const auto caps = CapsToTry(plan, forwards);
    std::vector<double> seconds(caps.size());
    OnAllThreads(
        std::thread::hardware_concurrency(),
        caps.size(),
        [&](std::size_t slot)
        {
            TrainingPlan tried = plan;
            tried.memoryCap = caps[slot];
            seconds[slot] = SimulateWholePlan(tried, job, cluster, table, orders, warm)
                                .iterationTime.ToSeconds();
        },
        [](double) {});
    const auto fastest = std::min_element(seconds.begin(), seconds.end());
    const bool isFaster = *fastest * (1 + leastGain) < seconds.front(); // the plan's own cap
    return isFaster ? caps[static_cast<std::size_t>(fastest - seconds.begin())] : caps.front();
}

} // namespace geotrain
