// SPDX-License-Identifier: GPL-2.0-only
#include "training-plan/layered-plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace geotrain
{

namespace
{

StageShare
ShareOfLayer(const TransformerSpec& model, std::uint32_t layer)
{
    return {1, layer == 0, layer + 1 == model.layers, layer};
}

/// Returns the work of a GPU, whose part of the model has `parameters`.
LayeredWork
WorkOf(const TrainingJob& job, const TrainingPlan& plan, const GpuSpec& gpu, double parameters)
{
    const StageExecution execution = ExecutionOf(job, plan.microbatchSize, plan.tensorParallel);
    LayeredWork work;
    Duration wholeStep; // of all layers on one GPU
    for (std::uint32_t layer = 0; layer < job.model.layers; ++layer)
    {
        const StageShare share = ShareOfLayer(job.model, layer);
        const StageTiming timing = TimeShare(job, share, gpu, execution);
        work.layers.push_back(
            {Bytes::Of(StageParameters(job.model, share) * ActivationBytes(job.model.precision)),
             timing.forward,
             timing.recompute,
             timing.Backward()});
        wholeStep += timing.optimizerStep;
    }
    work.optimizerStep = job.timeStage
                             ? Duration::Nanoseconds(wholeStep.ToNanoseconds() / plan.dataParallel)
                             : OptimizerStepTime(parameters, gpu, job.model.precision);
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
    double parameters = 0;
    double largest = 0;
    for (std::uint32_t layer = 0; layer < job.model.layers; ++layer)
    {
        const auto own =
            static_cast<double>(StageParameters(job.model, ShareOfLayer(job.model, layer)));
        parameters += own;
        largest = std::max(largest, own);
    }
    std::map<std::string, std::uint32_t> workOn; // by GPU
    for (const NodeIndex node : prepared.placement.nodeOfWorker)
    {
        const GpuSpec& gpu = cluster.GpuOfNode(node);
        const auto next = static_cast<std::uint32_t>(prepared.layeredWorks.size());
        const auto [found, isNew] = workOn.emplace(gpu.name, next);
        if (isNew)
        {
            prepared.layeredWorks.push_back(
                WorkOf(job, plan, gpu, parameters / plan.tensorParallel / plan.dataParallel));
        }
        prepared.layeredWorkOfWorker.push_back(found->second);
    }
    prepared.memory = {
        LayeredMemory(plan, prepared.memory.front(), parameters, largest, job.model.precision)};
}

} // namespace geotrain
