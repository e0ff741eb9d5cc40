// SPDX-License-Identifier: GPL-2.0-only
#include "planner/layer-balance.h"

#include "workload/memory-model.h"

#include <algorithm>
#include <set>

namespace geotrain
{

namespace
{

/// Returns the layers of the least sum of times where no stage takes longer than `most`; empty where
/// they don't fit. Where each further layer of a stage takes as long as the one before, giving each
/// layer to the stage in which it takes least is exact.
std::vector<std::uint32_t>
SplitWithin(const std::vector<std::vector<double>>& secondsOf, std::uint32_t layers, double most)
{
    std::vector<std::uint32_t> split(secondsOf.size(), 1);
    const auto room = [&](std::size_t stage)
    { return split[stage] < secondsOf[stage].size() && secondsOf[stage][split[stage]] <= most; };
    const auto more = [&](std::size_t stage)
    { return secondsOf[stage][split[stage]] - secondsOf[stage][split[stage] - 1]; };
    for (const auto& seconds : secondsOf)
    {
        if (seconds.empty() || seconds.front() > most)
        {
            return {};
        }
    }
    for (std::size_t left = layers - split.size(); left > 0; --left)
    {
        std::size_t best = split.size();
        for (std::size_t stage = 0; stage < split.size(); ++stage)
        {
            if (room(stage) && (best == split.size() || more(stage) < more(best)))
            {
                best = stage;
            }
        }
        if (best == split.size())
        {
            return {};
        }
        ++split[best];
    }
    return split;
}

} // namespace

std::vector<std::uint32_t>
ShareLayersOut(const std::vector<std::vector<double>>& secondsOf,
               std::uint32_t layers,
               std::uint32_t microbatches)
{
    std::vector<std::uint32_t> best;
    if (layers < secondsOf.size())
    {
        return best;
    }
    std::set<double> limits; // the longest stage is one of these
    double leastSum = 0;
    for (const auto& seconds : secondsOf)
    {
        limits.insert(seconds.begin(), seconds.end());
        leastSum += seconds.empty() ? 0 : seconds.front();
    }
    double least = 0;
    for (const double limit : limits)
    {
        if (!best.empty() && leastSum + (microbatches - 1) * limit >= least)
        {
            break;
        }
        const auto split = SplitWithin(secondsOf, layers, limit);
        double sum = 0;
        double longest = 0;
        for (std::size_t stage = 0; stage < split.size(); ++stage)
        {
            const double seconds = secondsOf[stage][split[stage] - 1];
            sum += seconds;
            longest = std::max(longest, seconds);
        }
        const double total = sum + (microbatches - 1) * longest;
        if (!split.empty() && (best.empty() || total < least))
        {
            best = split;
            least = total;
        }
    }
    return best;
}

LayerBalance::LayerBalance(const TrainingJob& job)
    : m_job(job)
{
}

std::vector<std::uint32_t>
LayerBalance::Of(const TrainingPlan& plan, const StageGpus& gpus)
{
    std::vector<std::vector<double>> secondsOf;
    try
    {
        for (std::uint32_t stage = 0; stage < plan.pipelineStages; ++stage)
        {
            std::vector<double> slowest = SecondsOn(*gpus[stage].front(), plan, stage);
            for (const GpuSpec* gpu : gpus[stage])
            {
                const auto& seconds = SecondsOn(*gpu, plan, stage);
                slowest.resize(std::min(slowest.size(), seconds.size()));
                std::transform(slowest.begin(),
                               slowest.end(),
                               seconds.begin(),
                               slowest.begin(),
                               [](double a, double b) { return std::max(a, b); });
            }
            secondsOf.push_back(std::move(slowest));
        }
    }
    catch (const std::exception&) // a measured profile without a row
    {
        return {};
    }
    return ShareLayersOut(secondsOf, m_job.model.layers, plan.microbatches);
}

const std::vector<double>&
LayerBalance::SecondsOn(const GpuSpec& gpu, const TrainingPlan& plan, std::uint32_t stage)
{
    const bool isFirst = stage == 0;
    const bool isLast = stage + 1 == plan.pipelineStages;
    const std::uint32_t held = std::min(plan.pipelineStages - stage, plan.microbatches);
    const std::uint32_t firstLayer = m_job.model.layers * stage / std::max(1u, plan.pipelineStages);
    const std::uint32_t kinds = m_job.model.layerGroups.empty() ? 0 : firstLayer; // layers differ
    const Key key{gpu.name,
                  isFirst,
                  isLast,
                  plan.tensorParallel,
                  plan.microbatchSize,
                  held,
                  plan.dataParallel,
                  kinds};
    const auto [found, isNew] = m_seconds.try_emplace(key);
    const StageExecution execution = ExecutionOf(m_job, plan.microbatchSize, plan.tensorParallel);
    for (std::uint32_t layers = 1; isNew && layers <= m_job.model.layers; ++layers)
    {
        const StageShare share{
            layers, isFirst, isLast, std::min(firstLayer, m_job.model.layers - layers)};
        const auto needed = MemoryOfStage(m_job.model,
                                          share,
                                          execution,
                                          held,
                                          m_job.shardsOptimizer ? plan.dataParallel : 1);
        if (needed.Total() > gpu.memory)
        {
            break;
        }
        const StageTiming timing = TimeShare(m_job, share, gpu, execution);
        found->second.push_back(
            (timing.forward + timing.recompute + timing.Backward()).ToSeconds());
    }
    return found->second;
}

} // namespace geotrain
