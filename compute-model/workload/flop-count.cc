// SPDX-License-Identifier: GPL-2.0-only
#include "workload/flop-count.h"

#include "workload/weight-matrices.h"

namespace geotrain
{

namespace
{

double
Tokens(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    return static_cast<double>(model.sequence) * microbatchSize;
}

/// Returns the elements of the weight matrices that a token meets in a layer. Each takes a
/// multiply-add per token.
double
LayerMatrixElements(const TransformerSpec& shape)
{
    const double attention = Elements(AttentionMatrices(shape));
    const ExpertSpec& experts = shape.experts;
    if (experts.count == 0)
    {
        return attention + Elements(MlpMatrices(shape, shape.ffnWidth));
    }
    return attention + experts.perToken * Elements(MlpMatrices(shape, experts.width)) +
           Elements(MlpMatrices(shape, experts.sharedWidth)) +
           static_cast<double>(experts.count) * shape.hidden; // the router
}

} // namespace

PassFlops
LayerFlops(const TransformerSpec& shape, std::uint32_t microbatchSize)
{
    const double tokens = Tokens(shape, microbatchSize);
    const Flops linear = Flops::Of(2 * tokens * LayerMatrixElements(shape));
    // The scores take s x k x headWidth multiply-adds per head, and their product with the values
    // s x k x valueWidth, for k keys a token.
    const double widths = static_cast<double>(shape.headWidth) + shape.ValueWidth();
    const Flops attention = Flops::Of(2 * tokens * shape.KeysPerToken() * shape.heads * widths);
    return {linear + attention, linear + attention * 2, linear};
}

PassFlops
HeadFlops(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    const Flops product =
        Flops::Of(2 * Tokens(model, microbatchSize) * model.hidden * model.vocabulary);
    return {product, product, product};
}

PassFlops
StageFlops(const TransformerSpec& model, const StageShare& share, std::uint32_t microbatchSize)
{
    const PassFlops head = HeadFlops(model, microbatchSize);
    const double heads = share.hasHead ? 1 : 0;
    PassFlops sum{head.forward * heads, head.backwardInput * heads, head.backwardWeight * heads};
    for (const LikeLayers& layers : LikeLayersOf(model, share))
    {
        const PassFlops layer = LayerFlops(layers.shape, microbatchSize);
        sum.forward = sum.forward + layer.forward * layers.count;
        sum.backwardInput = sum.backwardInput + layer.backwardInput * layers.count;
        sum.backwardWeight = sum.backwardWeight + layer.backwardWeight * layers.count;
    }
    return sum;
}

Flops
ModelFlops(const TransformerSpec& model, std::uint32_t sequences)
{
    const PassFlops all = StageFlops(model, {model.layers, true, true}, 1);
    return (all.forward + all.backwardInput + all.backwardWeight) * sequences;
}

} // namespace geotrain
