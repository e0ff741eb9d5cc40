// SPDX-License-Identifier: GPL-2.0-only
#include "planner/stage-gpus.h"

#include "training-plan/prepare-plan.h"

#include <algorithm>

namespace geotrain
{

namespace
{

void
AddType(std::vector<const GpuSpec*>& types, const GpuSpec& gpu)
{
    const bool isKnown = std::any_of(types.begin(),
                                     types.end(),
                                     [&gpu](const GpuSpec* type) { return type->name == gpu.name; });
    if (!isKnown)
    {
        types.push_back(&gpu);
    }
}

} // namespace

StageGpus
GpusOfStages(const TrainingPlan& plan, const Cluster& cluster)
{
    StageGpus gpus(plan.pipelineStages);
    if (HasOtherGpus(cluster, plan))
    {
        const Placement placement = PlacePlan(cluster, plan);
        for (std::size_t worker = 0; worker < placement.nodeOfWorker.size(); ++worker)
        {
            AddType(gpus[worker % plan.pipelineStages],
                    cluster.GpuOfNode(placement.nodeOfWorker[worker]));
        }
        return gpus;
    }
    std::size_t first = 0;
    for (const auto& host : plan.hosts)
    {
        const GpuSpec& gpu = cluster.dataCenters[host.dataCenter].gpu;
        first = plan.HasReplicasAcross() ? 0 : first;
        const std::size_t count = plan.HasReplicasAcross() ? gpus.size() : host.count;
        for (std::size_t stage = first; stage < first + count; ++stage)
        {
            AddType(gpus[stage], gpu);
        }
        first += count;
    }
    return gpus;
}

bool
AreUnlike(const StageGpus& gpus)
{
    const auto differs = [&gpus](const std::vector<const GpuSpec*>& types)
    {
        return !std::equal(types.begin(),
                           types.end(),
                           gpus.front().begin(),
                           gpus.front().end(),
                           [](const GpuSpec* a, const GpuSpec* b) { return a->name == b->name; });
    };
    return std::any_of(gpus.begin(), gpus.end(), differs);
}

Bytes
SmallestMemory(const std::vector<const GpuSpec*>& gpus)
{
    Bytes smallest = gpus.front()->memory;
    for (const GpuSpec* gpu : gpus)
    {
        smallest = std::min(smallest, gpu->memory);
    }
    return smallest;
}

} // namespace geotrain
