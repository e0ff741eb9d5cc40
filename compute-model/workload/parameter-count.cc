// SPDX-License-Identifier: GPL-2.0-only
#include "workload/parameter-count.h"

#include "workload/weight-matrices.h"

namespace geotrain
{

namespace
{

std::int64_t
NormParameters(const TransformerSpec& model, std::int64_t width)
{
    return model.normWeights ? (model.layerNorm ? 2 : 1) * width : 0;
}

std::int64_t
QueryKeyNormParameters(const TransformerSpec& shape)
{
    const std::int64_t heads = shape.queryKeyNorm == QueryKeyNorm::None ? 0
                               : shape.queryKeyNorm == QueryKeyNorm::PerHead
                                   ? 2
                                   : shape.heads + shape.kvHeads;
    return NormParameters(shape, heads * shape.headWidth);
}

/// Counts what attention has beside its matrices and biases.
std::int64_t
AttentionVectorParameters(const TransformerSpec& shape)
{
    const std::int64_t ranks = std::int64_t{shape.latent.queryRank} + shape.latent.kvRank;
    const std::int64_t gated =
        shape.gatedAttention ? std::int64_t{shape.heads} * shape.ValueWidth() : 0;
    return QueryKeyNormParameters(shape) + NormParameters(shape, ranks + gated) +
           (shape.attentionSinks ? shape.heads : 0);
}

/// Counts an MLP of this inner width with its biases.
std::int64_t
MlpParameters(const TransformerSpec& shape, std::int64_t width)
{
    const std::int64_t into = shape.gated ? 2 * width : width;
    const std::int64_t biases = shape.linearBias && width > 0 ? into + shape.hidden : 0;
    return shape.hidden * (into + width) + biases;
}

std::int64_t
ExpertLayerParameters(const TransformerSpec& shape)
{
    const ExpertSpec& experts = shape.experts;
    const std::int64_t router =
        std::int64_t{experts.count} * (shape.hidden + (experts.hasRouterBias ? 1 : 0));
    return experts.count * MlpParameters(shape, experts.width) +
           MlpParameters(shape, experts.sharedWidth) + router +
           (experts.hasSharedGate ? shape.hidden : 0);
}

} // namespace

std::int64_t
LayerParameters(const TransformerSpec& shape)
{
    const std::int64_t queryWidth = std::int64_t{shape.heads} * shape.headWidth;
    const std::int64_t kvWidth =
        std::int64_t{shape.kvHeads} * (std::int64_t{shape.headWidth} + shape.ValueWidth());
    const std::int64_t biases =
        (shape.qkvBias ? queryWidth + kvWidth : 0) + (shape.outputBias ? shape.hidden : 0);
    const std::int64_t mlp = shape.experts.count > 0 ? ExpertLayerParameters(shape)
                                                     : MlpParameters(shape, shape.ffnWidth);
    return static_cast<std::int64_t>(Elements(AttentionMatrices(shape))) + biases +
           AttentionVectorParameters(shape) + mlp +
           shape.normsPerLayer * NormParameters(shape, shape.hidden);
}

std::int64_t
IdleExpertParameters(const TransformerSpec& shape)
{
    const ExpertSpec& experts = shape.experts;
    return (experts.count - experts.perToken) * MlpParameters(shape, experts.width);
}

std::int64_t
EmbeddingParameters(const TransformerSpec& model)
{
    const std::int64_t positions =
        model.learnedPositions ? std::int64_t{model.maxContext} * model.hidden : 0;
    return VocabularyParameters(model) + positions +
           (model.embeddingNorm ? NormParameters(model, model.hidden) : 0);
}

std::int64_t
VocabularyParameters(const TransformerSpec& model)
{
    return std::int64_t{model.vocabulary} * model.hidden;
}

std::int64_t
FinalNormParameters(const TransformerSpec& model)
{
    return NormParameters(model, model.hidden);
}

std::int64_t
HeadVectorParameters(const TransformerSpec& model)
{
    return FinalNormParameters(model) + (model.headBias ? model.vocabulary : 0);
}

std::int64_t
ParameterCount(const TransformerSpec& model)
{
    std::int64_t parameters = EmbeddingParameters(model) + HeadVectorParameters(model) +
                              (model.tiedEmbeddings ? 0 : VocabularyParameters(model));
    for (const LikeLayers& layers : LikeLayersOf(model, 0, model.layers))
    {
        parameters += layers.count * LayerParameters(layers.shape);
    }
    return parameters;
}

std::int64_t
ActiveParameterCount(const TransformerSpec& model)
{
    std::int64_t idle = model.learnedPositions ? std::int64_t{model.maxContext} * model.hidden : 0;
    idle += model.tiedEmbeddings ? 0 : VocabularyParameters(model);
    for (const LikeLayers& layers : LikeLayersOf(model, 0, model.layers))
    {
        idle += layers.count * IdleExpertParameters(layers.shape);
    }
    return ParameterCount(model) - idle;
}

} // namespace geotrain
