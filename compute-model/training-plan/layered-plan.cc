// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/layered-plan.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace geotrain
{

namespace
{

StageShare
ShareOfLayer(const TransformerSpec& model, std::uint32_t layer)
{
    return {1, layer == 0, layer + 1 == model.layers};
}

/// Returns the GPUs of the plan's nodes, each once, in the order of the nodes.
std::vector<const GpuSpec*>
GpusOf(const Cluster& cluster, const Placement& placement)
{
    std::vector<const GpuSpec*> gpus;
    std::set<std::string> names;
    for (const NodeIndex node : placement.nodeOfWorker)
    {
        const GpuSpec& gpu = cluster.GpuOfNode(node);
        if (names.insert(gpu.name).second)
        {
            gpus.push_back(&gpu);
        }
    }
    return gpus;
}

LayerWork
WorkOfLayer(const TrainingJob& job,
            const TrainingPlan& plan,
            const std::vector<const GpuSpec*>& gpus,
            std::uint32_t layer)
{
    const StageShare share = ShareOfLayer(job.model, layer);
    LayerWork work;
    work.parameters =
        Bytes::Of(StageParameters(job.model, share) * ActivationBytes(job.model.precision));
    const StageExecution execution = ExecutionOf(job, plan.microbatchSize, plan.tensorParallel);
    for (const GpuSpec* gpu : gpus)
    {
        const StageTiming timing = TimeShare(job, share, layer, *gpu, execution);
        work.forward = std::max(work.forward, timing.forward);
        work.recompute = std::max(work.recompute, timing.recompute);
        work.backward = std::max(work.backward, timing.Backward());
    }
    return work;
}

} // namespace

StageMemory
LayeredMemory(const TrainingPlan& plan,
              const StageMemory& whole,
              double parameters,
              double largest,
              Precision precision)
{
    const bool isSharded = plan.dataParallelism == DataParallelism::Zero3;
    const double inFlight = plan.prefetch + 1.0;
    const double gradients = inFlight + (isSharded ? 1 : 0);
    double state = (inFlight + gradients) * ActivationBytes(precision) * largest;
    if (isSharded)
    {
        state +=
            static_cast<double>(StateBytesPerParameter(precision)) * parameters / plan.dataParallel;
    }
    StageMemory memory = whole;
    memory.state = Bytes::Of(std::llround(state / plan.tensorParallel));
    return memory;
}

void
AddLayers(const TrainingJob& job,
          const Cluster& cluster,
          const TrainingPlan& plan,
          PreparedPlan& prepared)
{
    const auto gpus = GpusOf(cluster, prepared.placement);
    double parameters = 0;
    double largest = 0;
    for (std::uint32_t layer = 0; layer < job.model.layers; ++layer)
    {
        prepared.layers.push_back(WorkOfLayer(job, plan, gpus, layer));
        const auto own =
            static_cast<double>(StageParameters(job.model, ShareOfLayer(job.model, layer)));
        parameters += own;
        largest = std::max(largest, own);
    }
    prepared.layeredOptimizerStep = Duration();
    for (const GpuSpec* gpu : gpus)
    {
        prepared.layeredOptimizerStep = std::max(
            prepared.layeredOptimizerStep,
            OptimizerStepTime(
                parameters / plan.tensorParallel / plan.dataParallel, *gpu, job.model.precision));
    }
    prepared.memory = {
        LayeredMemory(plan, prepared.memory.front(), parameters, largest, job.model.precision)};
}

} // namespace geotrain
