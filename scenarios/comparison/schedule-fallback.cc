// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/schedule-fallback.h"

#include "loader/read-scenario.h"
#include "planner/schedule-trial.h"
#include "units/config-error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Adds the assignments of what is fastest for a job, whose fields begin with `prefix`.
void
AddFastest(const TrainingSpec& written,
           const std::string& prefix,
           const std::string& file,
           std::vector<Assignment>& assignments)
{
    const TrainingPlan& plan = written.plan;
    OrderCache orders;
    const StageTable table = MakeStageTable(written.job, written.cluster, plan);
    const auto fastest = FastestInItsMemory(plan, {written.job, written.cluster, table, &orders});
    if (!fastest)
    {
        throw ConfigError(
            file,
            prefix + "schedule.fallback",
            "FASTEST",
            fmt::format("must be AS_WRITTEN for {} stages of {} pipelines, which are too many for "
                        "trials",
                        plan.pipelineStages,
                        plan.dataParallel));
    }
    const auto assign = [&](const std::string& field, const auto& value) {
        assignments.push_back({fmt::format("{}{}={}", prefix, field, value), "schedule.fallback"});
    };
    assign("schedule.fallback", "AS_WRITTEN");
    if (fastest->schedule != plan.schedule)
    {
        assign("schedule.name", fastest->schedule);
        assign("schedule.warmup_factor", fastest->warmupFactor);
        assign("schedule.virtual_stages", fastest->virtualStages);
        assign("schedule.memory_cap", "");
        assign("parallelism.layers_per_stage", fmt::format("{}", fastest->layersPerStage));
    }
    else if (fastest->memoryCap != plan.memoryCap)
    {
        assign("schedule.memory_cap", fastest->memoryCap);
    }
}

} // namespace

std::vector<Assignment>
WithFallback(const ScenarioText& text, std::vector<Assignment> assignments)
{
    const std::vector<bool> asks = AsksForFastest(text, assignments);
    if (std::find(asks.begin(), asks.end(), true) == asks.end())
    {
        return assignments;
    }
    const Experiment written = LoadScenario(text, assignments);
    for (std::size_t index = 0; index < written.jobs.size(); ++index)
    {
        const TrainingSpec& job = written.jobs[index];
        if (asks[index])
        {
            AddFastest(job,
                       job.name.empty() ? "" : fmt::format("job[{}].", index),
                       text.file,
                       assignments);
        }
    }
    return assignments;
}

} // namespace geotrain
