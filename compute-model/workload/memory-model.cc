// SPDX-License-Identifier: GPL-2.0-only
#include "workload/memory-model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geotrain
{

namespace
{

Bytes
Count(double bytes)
{
    constexpr double countable = 9e18; // int64
    if (!(bytes >= 0 && bytes < countable))
    {
        throw std::invalid_argument("the memory needed is beyond what can be counted");
    }
    return Bytes::Of(std::llround(bytes));
}

double
BoundaryElements(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    return static_cast<double>(model.sequence) * microbatchSize * model.hidden;
}

/// Returns the elements that a token leaves between attention's products, over the hidden width:
/// queries, keys, values and result, with latent attention the narrow vectors, and of gated
/// attention its gate and the normalised result.
double
AttentionInner(const TransformerSpec& shape)
{
    const LatentAttention& latent = shape.latent;
    const double heads = shape.heads;
    if (latent.kvRank == 0)
    {
        return shape.gatedAttention ? 4 + 2 * heads * shape.ValueWidth() / shape.hidden : 4;
    }
    return (2 * heads * (shape.headWidth + shape.ValueWidth()) + latent.queryRank + latent.kvRank +
            latent.rotaryWidth) /
           shape.hidden;
}

/// Does the same for the MLP, or for the chosen experts: their inputs, what is between their
/// products and their results, which the sum over experts weighs, and the router's fp32 scores.
double
MlpInner(const TransformerSpec& shape)
{
    const ExpertSpec& experts = shape.experts;
    if (experts.count == 0)
    {
        return 8;
    }
    const double chosen = experts.perToken * (experts.capacityFactor > 0 ? experts.capacityFactor : 1);
    const double perWidth = shape.gated ? 3 : 2;
    const double scores = 4.0 * experts.count / ActivationBytes(shape.precision);
    return (chosen * (2.0 * shape.hidden + perWidth * experts.width) +
            perWidth * experts.sharedWidth + scores) /
           shape.hidden;
}

double
LayerActivations(const TransformerSpec& shape, const StageExecution& execution)
{
    const double group = execution.tensorParallel;
    const double sbh = BoundaryElements(shape, execution.microbatchSize);
    const double scoresPerElement =
        IsFused(execution.attention)
            ? 0
            : static_cast<double>(shape.heads) * shape.sequence / (shape.hidden * group);
    const double e = ActivationBytes(shape.precision);
    const double inner = AttentionInner(shape) + MlpInner(shape); // 12 of a GPT
    switch (execution.recomputation)
    {
    case Recomputation::None:
        return sbh * (4 * e + 2 + inner * e / group + (2 * e + 1) * scoresPerElement);
    case Recomputation::Selective:
        return sbh * ((4 + inner) * e + 2) / group;
    case Recomputation::Full:
        return e * sbh;
    }
    throw std::invalid_argument("unknown kind of recomputation");
}

/// Returns what the share's layers keep of a microbatch, and in `largest` what one of them does.
double
LayersActivations(const TransformerSpec& model,
                  const StageShare& share,
                  const StageExecution& execution,
                  double& largest)
{
    double kept = 0;
    for (const LikeLayers& layers : LikeLayersOf(model, share))
    {
        const double one = LayerActivations(layers.shape, execution);
        kept += layers.count * one;
        largest = std::max(largest, one);
    }
    return kept;
}

/// Returns what the head needs while it works on one microbatch: the inputs of the final norm and
/// of the output product, and the logits in fp32 (Korthikanti et al., section 4.3: 4sbh/t (1 +
/// V/h), there with sequence parallelism).
double
HeadActivations(const TransformerSpec& model, const StageExecution& execution)
{
    const double group = execution.tensorParallel;
    const double sbh = BoundaryElements(model, execution.microbatchSize);
    const double inputs =
        2.0 * ActivationBytes(model.precision) * sbh / (IsSequenceParallel(execution) ? group : 1);
    return inputs + 4 * sbh / model.hidden * model.vocabulary / group;
}

} // namespace

Bytes
LayerActivationBytes(const TransformerSpec& shape, const StageExecution& execution)
{
    return Count(LayerActivations(shape, execution));
}

StageMemory
MemoryOfStage(const TransformerSpec& model,
              const StageShare& share,
              const StageExecution& execution,
              std::uint32_t microbatchesInFlight,
              std::uint32_t optimizerShards)
{
    if (execution.microbatchSize == 0 || execution.tensorParallel == 0 || optimizerShards == 0)
    {
        throw std::invalid_argument(
            "microbatchSize, tensorParallel and optimizerShards must be at least 1");
    }
    const double group = execution.tensorParallel;
    const double sbh = BoundaryElements(model, execution.microbatchSize);

    double largest = 0;
    double kept = LayersActivations(model, share, execution, largest);
    if (share.hasEmbedding)
    {
        kept += IsSequenceParallel(execution) ? sbh / group : sbh; // dropout's mask
    }
    double working = 0;
    if (share.hasHead)
    {
        working += HeadActivations(model, execution);
    }
    if (execution.recomputation == Recomputation::Full && share.layers > 0)
    {
        StageExecution whole = execution;
        whole.recomputation = Recomputation::None;
        largest = 0;
        LayersActivations(model, share, whole, largest);
        working += largest;
    }
    kept *= microbatchesInFlight;
    const double sharded = static_cast<double>(OptimizerStateBytesPerParameter(model.precision));
    const double bytesPerParameter = static_cast<double>(StateBytesPerParameter(model.precision)) -
                                     sharded + sharded / optimizerShards;
    const double state =
        static_cast<double>(StageParameters(model, share)) * bytesPerParameter / group;
    Count(state + kept + working); // their sum is as countable as they are
    return {Count(state), Count(kept), Count(working)};
}

} // namespace geotrain
