// SPDX-License-Identifier: GPL-2.0-only
#include "loader/fastest-plan.h"

#include <fmt/format.h>

#include <stdexcept>

namespace geotrain
{

namespace
{

std::string
NameOfPlain(const TrainingPlan& plan)
{
    return plan.schedule == "1f1b"
               ? fmt::format("{}, warmup_factor {}", plan.schedule, plan.warmupFactor)
               : plan.schedule;
}

/// Returns a warning where a plan, or its schedule's order, is not the one that the scenario asks
/// for.
std::vector<std::string>
WhatRunsInstead(const TrainingPlan& written, const TriedPlan& tried, const ScheduleOrder& order)
{
    const TrainingPlan& plan = tried.plan;
    const bool inPart = tried.microbatches != 0 && tried.microbatches < plan.microbatches;
    const std::string how =
        inPart ? fmt::format(", by trials over {} microbatches", tried.microbatches) : "";
    const auto plain = [&written](const std::string& name)
    {
        return fmt::format(
            "schedule.name: {} finds no order faster than {} in its memory, and runs "
            "that one",
            written.schedule,
            name);
    };
    if (plan.schedule != written.schedule)
    {
        return {plain(NameOfPlain(plan)) + how};
    }
    std::vector<std::string> warnings;
    if (plan.memoryCap < written.memoryCap)
    {
        warnings.push_back(fmt::format("schedule.memory_cap: {} holds {} activations of {}, {}{}",
                                       plan.schedule,
                                       plan.memoryCap,
                                       written.memoryCap,
                                       plan.memoryCap == tried.mostHeld
                                           ? "the most that are tried"
                                           : "with which an iteration is shorter",
                                       how));
    }
    if (order.rival && order.rival->isUsed)
    {
        warnings.push_back(plain(order.rival->name));
    }
    if (tried.isTooLarge)
    {
        warnings.push_back(fmt::format(
            "schedule.name: {} is not compared with plain orders on the analytic network, since {} "
            "stages of {} pipelines are too many for trials: 1F1B or GPipe may be faster",
            plan.schedule,
            plan.pipelineStages,
            plan.dataParallel));
    }
    return warnings;
}

} // namespace

PreparedPlan
PrepareFastest(const TrainingJob& job,
               const Cluster& cluster,
               const ScenarioFile& file,
               const Trials& trials,
               TrainingPlan& plan,
               std::vector<std::string>& warnings)
{
    const StageTable table = MakeStageTable(job, cluster, plan);
    if (table.isOfProfile)
    {
        throw ConfigError("", "", "", table.refusal); // which names the profile's file
    }
    if (!table.refusal.empty())
    {
        file.Fail(
            "parallelism.tensor_parallel", std::to_string(plan.tensorParallel), table.refusal);
    }
    OrderCache orders;
    PlanCaches caches;
    caches.orders = &orders;
    try
    {
        const TrainingPlan written = plan;
        const TriedPlan tried =
            trials([&] { return FastestInItsMemory(written, job, cluster, table, orders); });
        plan = tried.plan;
        caches.table = plan.schedule == written.schedule ? &table : nullptr;
        PreparedPlan prepared = PreparePlan(job, cluster, plan, caches);
        const auto instead = WhatRunsInstead(written, tried, prepared.order);
        warnings.insert(warnings.end(), instead.begin(), instead.end());
        return prepared;
    }
    catch (const std::invalid_argument& broken)
    {
        file.Fail("schedule", plan.schedule, broken.what());
    }
}

} // namespace geotrain
