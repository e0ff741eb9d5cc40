// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-memory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace geotrain
{

namespace
{

std::string
Gigabytes(double bytes)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.1f GB", bytes * 1e-9);
    return text;
}

} // namespace

std::string
MemoryLack::Text() const
{
    return Gigabytes(static_cast<double>(needed.Count())) + " on stage " + std::to_string(stage) +
           ", " + Gigabytes(missing) + " more than " + gpu->name + " has";
}

PlanMemory::PlanMemory(const TrainingJob& job)
    : m_job(job)
{
}

void
PlanMemory::Forget()
{
    m_needed.clear();
}

const std::vector<StageMemory>&
PlanMemory::Needed(const TrainingPlan& plan,
                   const StageTable& table,
                   const std::vector<std::uint32_t>& inFlight)
{
    const std::uint32_t copies = FindSchedule(plan.schedule)->extraWeightCopies;
    const auto [found, isNew] = m_needed.try_emplace({&table, copies, inFlight});
    if (isNew)
    {
        found->second = MemoryByWorker(plan, m_job, table, inFlight);
    }
    return found->second;
}

std::optional<MemoryLack>
PlanMemory::LackOf(const TrainingPlan& plan,
                   const StageTable& table,
                   const StageGpus& gpus,
                   const std::vector<std::uint32_t>& inFlight)
{
    const auto& needed = Needed(plan, table, inFlight);
    MemoryLack worst;
    for (std::size_t stage = 0; stage < needed.size(); ++stage)
    {
        for (const GpuSpec* gpu : gpus[stage])
        {
            const Bytes total = needed[stage].Total();
            const auto missing = static_cast<double>((total - gpu->memory).Count());
            if (missing > worst.missing)
            {
                worst = {stage, gpu, total, missing};
            }
        }
    }
    return worst.gpu != nullptr ? std::optional(worst) : std::nullopt;
}

std::uint32_t
PlanMemory::CapThatFits(const TrainingPlan& plan, const StageTable& table, const StageGpus& gpus)
{
    const auto with = [&](std::uint32_t count) -> const std::vector<StageMemory>&
    { return Needed(plan, table, std::vector<std::uint32_t>(plan.pipelineStages, count)); };
    const auto& one = with(1);
    const auto& two = with(2);
    double cap = plan.microbatches;
    for (std::uint32_t worker = 0; worker < plan.pipelineStages; ++worker)
    {
        const auto room =
            static_cast<double>((SmallestMemory(gpus[worker]) - one[worker].Total()).Count());
        const auto each = static_cast<double>((two[worker].Total() - one[worker].Total()).Count());
        cap = std::min(cap, 1 + std::floor(room / std::max(1.0, each)));
    }
    return static_cast<std::uint32_t>(std::max(1.0, cap));
}

} // namespace geotrain
