// SPDX-License-Identifier: GPL-2.0-only
#include "timing/stage-timing.h"

#include "timing/layer-timing.h"

namespace geotrain
{

namespace
{

// The optimiser reads the fp32 gradient (4), reads and writes the fp32 weight and two moments (24),
// and writes the 16-bit weight (2): bytes per parameter.
constexpr double optimizerBytesPerParameter = 4 + 2 * 12;
constexpr double halfWeightBytes = 2;

// Megatron-DeepSpeed copies a 16-bit gradient to fp32 (reads 2, writes 4) and adds that to the sum
// (reads 8, writes 4): bytes per parameter and microbatch. The addition in 16 bits (6) of other
// software is in the times of the layers.
constexpr double separateSumBytes = 2 + 4 + 8 + 4;
constexpr double plainSumBytes = 6;

double
RecomputeSeconds(const LayerTiming& timing, Recomputation recomputation, Attention attention)
{
    switch (recomputation)
    {
    case Recomputation::None:
        return 0;
    case Recomputation::Selective:
        return IsFused(attention) ? 0 : timing.AttentionCoreForward();
    case Recomputation::Full:
        return timing.Layer().forward;
    }
    return 0;
}

void
Add(PassSeconds& sum, const PassSeconds& part, double times)
{
    sum.forward += times * part.forward;
    sum.backwardInput += times * part.backwardInput;
    sum.backwardWeight += times * part.backwardWeight;
}

} // namespace

Attention
AttentionOn(const GpuSpec& gpu, Precision precision)
{
    const bool isFused = gpu.fusesAttention && ActivationBytes(precision) == 2;
    return isFused ? Attention::FusedCausal : Attention::Unfused;
}

StageTiming
TimeStage(const TransformerSpec& model,
          const StageShare& share,
          const GpuSpec& gpu,
          const StageExecution& execution)
{
    const GpuSpec reached = WithKernelsAt(execution.softwareEfficiency, gpu);
    PassSeconds seconds;
    double recompute = 0;
    for (const LikeLayers& layers : LikeLayersOf(model, share))
    {
        const LayerTiming timing(layers.shape, reached, execution);
        Add(seconds, timing.Layer(), layers.count);
        recompute +=
            layers.count * RecomputeSeconds(timing, execution.recomputation, execution.attention);
    }
    if (share.hasEmbedding || share.hasHead)
    {
        const LayerTiming timing(LikeLayersOf(model, share).front().shape, reached, execution);
        Add(seconds, timing.Embedding(), share.hasEmbedding ? 1 : 0);
        Add(seconds, timing.Head(), share.hasHead ? 1 : 0);
    }

    const double parameters = static_cast<double>(StageParameters(model, share));
    if (execution.software == Software::MegatronDeepspeed)
    {
        seconds.backwardWeight += KernelTiming(reached).MemoryTraffic(
            parameters / execution.tensorParallel * (separateSumBytes - plainSumBytes));
    }
    return {Duration::Seconds(seconds.forward),
            Duration::Seconds(recompute),
            Duration::Seconds(seconds.backwardInput),
            Duration::Seconds(seconds.backwardWeight),
            OptimizerStepTime(parameters / execution.tensorParallel, reached, model.precision)};
}

Duration
OptimizerStepTime(double parameters, const GpuSpec& gpu, Precision precision)
{
    const double bytes =
        optimizerBytesPerParameter + (ActivationBytes(precision) == 2 ? halfWeightBytes : 0);
    return Duration::Seconds(KernelTiming(gpu).MemoryTraffic(parameters * bytes));
}

double
AchievedFlopsPerSecond(Flops work, Duration time)
{
    return work.Count() / time.ToSeconds();
}

} // namespace geotrain
