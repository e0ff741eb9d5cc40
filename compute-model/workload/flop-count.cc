// SPDX-License-Identifier: GPL-2.0-only
#include "workload/flop-count.h"

namespace geotrain
{

namespace
{

double
Tokens(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    return static_cast<double>(model.sequence) * microbatchSize;
}

/// Returns the elements of a layer's weight matrices. Each takes a multiply-add per token.
double
LayerMatrixElements(const TransformerSpec& model)
{
    const double queryWidth = static_cast<double>(model.heads) * model.headWidth;
    const double kvWidth = static_cast<double>(model.kvHeads) * model.headWidth;
    const double mlpMatrices = model.gated ? 3 : 2;
    return model.hidden * (2 * queryWidth + 2 * kvWidth + mlpMatrices * model.ffnWidth);
}

} // namespace

PassFlops
LayerFlops(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    const double tokens = Tokens(model, microbatchSize);
    const Flops linear = Flops::Of(2 * tokens * LayerMatrixElements(model));
    // The scores and their product with the values take s x k x headWidth multiply-adds per head
    // each, for k keys a token.
    const Flops attention =
        Flops::Of(2 * 2 * tokens * model.KeysPerToken() * model.heads * model.headWidth);
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
    const PassFlops layer = LayerFlops(model, microbatchSize);
    const PassFlops head = HeadFlops(model, microbatchSize);
    const double heads = share.hasHead ? 1 : 0;
    return {layer.forward * share.layers + head.forward * heads,
            layer.backwardInput * share.layers + head.backwardInput * heads,
            layer.backwardWeight * share.layers + head.backwardWeight * heads};
}

Flops
ModelFlops(const TransformerSpec& model, std::uint32_t sequences)
{
    const PassFlops all = StageFlops(model, {model.layers, true, true}, 1);
    return (all.forward + all.backwardInput + all.backwardWeight) * sequences;
}

} // namespace geotrain
