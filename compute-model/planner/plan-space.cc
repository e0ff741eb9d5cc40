// SPDX-License-Identifier: GPL-2.0-only
#include "planner/plan-space.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace geotrain
{

namespace
{

void
CheckRange(const char* name, const std::vector<std::uint32_t>& range)
{
    if (range.empty() || std::count(range.begin(), range.end(), 0u) > 0)
    {
        throw std::invalid_argument(std::string(name) +
                                    " must have at least one value, each at least 1");
    }
}

std::vector<std::uint32_t>
Divisors(std::uint64_t number, std::uint64_t most)
{
    std::vector<std::uint32_t> divisors;
    for (std::uint64_t divisor = 1; divisor <= std::min(number, most); ++divisor)
    {
        if (number % divisor == 0)
        {
            divisors.push_back(static_cast<std::uint32_t>(divisor));
        }
    }
    return divisors;
}

std::vector<std::uint32_t>
PowersOfTwo(std::uint32_t most)
{
    std::vector<std::uint32_t> powers;
    for (std::uint32_t power = 1; power <= most; power *= 2)
    {
        powers.push_back(power);
    }
    return powers;
}

/// Returns all depths up to the layers for which there are GPUs, and the powers of two above them,
/// so that a search can say what is missing.
std::vector<std::uint32_t>
Depths(std::uint32_t layers, std::uint64_t gpus)
{
    std::vector<std::uint32_t> depths(std::min<std::uint64_t>(layers, gpus));
    std::iota(depths.begin(), depths.end(), 1u);
    for (const std::uint32_t power : PowersOfTwo(layers))
    {
        if (power > gpus)
        {
            depths.push_back(power);
        }
    }
    return depths;
}

} // namespace

void
CheckSpace(const PlanSpace& space)
{
    CheckRange("pipeline_stages", space.pipelineStages);
    CheckRange("tensor_parallel", space.tensorParallel);
    CheckRange("data_parallel", space.dataParallel);
    CheckRange("microbatch_size", space.microbatchSizes);
    CheckRange("warmup_factor", space.warmupFactors);
    for (const auto& name : space.schedules)
    {
        if (FindSchedule(name) == nullptr)
        {
            throw std::invalid_argument("schedule " + name +
                                        " is not one that the planner compares");
        }
    }
}

PlanSpace
DefaultPlanSpace(const TrainingJob& job, const Cluster& cluster)
{
    PlanSpace space;
    space.pipelineStages = Depths(job.model.layers, cluster.Gpus());
    std::uint32_t widest = 1;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        const bool takesPart = cluster.NodesOf(index) > 0;
        widest = std::max(widest, takesPart ? cluster.dataCenters[index].gpusPerNode : 0);
    }
    space.tensorParallel = PowersOfTwo(widest);
    space.dataParallel = Divisors(job.globalBatch, cluster.Gpus());
    space.microbatchSizes = {1, 2, 4};
    space.warmupFactors = {1, 2, 4};
    for (const auto& schedule : ScheduleCatalogue())
    {
        if (!schedule.isAsynchronous)
        {
            space.schedules.push_back(schedule.name);
        }
    }
    return space;
}

} // namespace geotrain
