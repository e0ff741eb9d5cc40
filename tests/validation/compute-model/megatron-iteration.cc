// SPDX-License-Identifier: GPL-2.0-only
#include "megatron-iteration.h"

#include "workload/stage-share.h"

#include <algorithm>
#include <vector>

namespace geotrain
{

namespace
{

double
NodeBytesPerSecond(const NodeSpec& node)
{
    return static_cast<double>(node.nicRate.ToBitsPerSecond()) / 8;
}

/// Returns the time of a microbatch's messages of one stage: a forward and a backward one for every
/// chunk, in Megatron-LM on the critical path. Each GPU of the group sends its 1/t over its own
/// NIC, the receivers gather over NVLink (scatter/gather optimisation, SC'21, section 4.1).
double
PipelineMessageSeconds(const MegatronRun& run, const NodeSpec& node)
{
    if (run.pipelineStages == 1)
    {
        return 0;
    }
    const double bytes =
        static_cast<double>(BoundaryActivationBytes(run.model, run.microbatchSize).Count());
    const double group = run.tensorParallel;
    const double overNic = bytes / group / (NodeBytesPerSecond(node) / node.gpus);
    const double gather = bytes * (group - 1) / group / node.gpu.nvlinkBytesPerSecond;
    return 2 * run.chunksPerStage * (overNic + gather);
}

/// Returns the time of a ring over the nodes that hold the stage: every node's NICs together carry
/// 2(d-1)/d of the gradients.
double
GradientAllReduceSeconds(const MegatronRun& run, const StageShare& share, const NodeSpec& node)
{
    const double replicas =
        static_cast<double>(run.gpus) / (run.tensorParallel * run.pipelineStages);
    const double bytes = static_cast<double>(StageGradientBytes(run.model, share).Count());
    return 2 * (replicas - 1) / replicas * bytes / NodeBytesPerSecond(node);
}

/// Returns the time of an all-reduce between the nodes of the first and the last stage: each of the
/// two members sends the whole.
double
TiedEmbeddingSeconds(const MegatronRun& run, const StageShare& share, const NodeSpec& node)
{
    const double bytes = static_cast<double>(TiedEmbeddingGradientBytes(run.model, share).Count());
    return bytes / NodeBytesPerSecond(node);
}

} // namespace

TransformerSpec
MegatronModel(std::uint32_t layers, std::uint32_t hidden, std::uint32_t heads)
{
    return MakeGpt("megatron", layers, hidden, heads, 51200, 2048, true);
}

NodeSpec
SeleneNode(const GpuSpec& gpu)
{
    return {gpu, 8, BitRate::GigabitsPerSecond(8 * 200)};
}

double
IterationSeconds(const MegatronRun& run, const NodeSpec& node)
{
    const StageExecution execution{run.microbatchSize,
                                   run.tensorParallel,
                                   run.recomputation,
                                   run.attention,
                                   run.tensorOverlap};
    const std::uint32_t replicas = run.gpus / (run.tensorParallel * run.pipelineStages);
    const double microbatches = run.globalBatch / replicas / run.microbatchSize;

    double all = 0;
    double slowest = 0;
    double closing = 0; // after the last backward pass
    for (const StageShare& share : SplitEvenly(run.model, run.pipelineStages))
    {
        const StageTiming timing = TimeStage(run.model, share, node.gpu, execution);
        const double microbatch =
            (timing.forward + timing.recompute + timing.Backward()).ToSeconds() +
            PipelineMessageSeconds(run, node);
        all += microbatch;
        slowest = std::max(slowest, microbatch);
        closing = std::max(
            closing,
            GradientAllReduceSeconds(run, share, node) + TiedEmbeddingSeconds(run, share, node) +
                timing.optimizerStep.ToSeconds() / (run.shardsOptimizer ? replicas : 1));
    }
    // The slowest stage works all microbatches; filling and draining passes the others once, in
    // chunks.
    return microbatches * slowest + (all - slowest) / run.chunksPerStage + closing;
}

double
PublishedFlops(const MegatronRun& run)
{
    const double b = run.globalBatch;
    const double s = run.model.sequence;
    const double l = run.model.layers;
    const double h = run.model.hidden;
    const double v = run.model.vocabulary;
    return 96 * b * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
}

} // namespace geotrain
