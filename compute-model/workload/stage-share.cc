// SPDX-License-Identifier: GPL-2.0-only
#include "workload/stage-share.h"
#include "workload/parameter-count.h"

#include <stdexcept>
#include <string>

namespace geotrain
{

std::vector<LikeLayers>
LikeLayersOf(const TransformerSpec& model, const StageShare& share)
{
    return LikeLayersOf(model, share.firstLayer, share.layers);
}

std::vector<StageShare>
SplitEvenly(const TransformerSpec& model, std::uint32_t stages)
{
    if (stages == 0 || stages > model.layers)
    {
        throw std::invalid_argument("stages must be from 1 to the model's " +
                                    std::to_string(model.layers) + " layers, not " +
                                    std::to_string(stages));
    }
    std::vector<std::uint32_t> layersPerStage(stages, model.layers / stages);
    for (std::uint32_t stage = 0; stage < model.layers % stages; ++stage)
    {
        ++layersPerStage[stage];
    }
    return SplitAsGiven(model, layersPerStage);
}

std::vector<StageShare>
SplitAsGiven(const TransformerSpec& model, const std::vector<std::uint32_t>& layersPerStage)
{
    std::vector<StageShare> shares;
    std::uint64_t layers = 0;
    for (const std::uint32_t stageLayers : layersPerStage)
    {
        if (stageLayers == 0)
        {
            throw std::invalid_argument("every stage must have at least one layer; stage " +
                                        std::to_string(shares.size()) + " has none");
        }
        // Where the layers are too many, the first layer of a later one doesn't matter.
        shares.push_back({stageLayers, false, false, static_cast<std::uint32_t>(layers)});
        layers += stageLayers;
    }
    if (shares.empty() || layers != model.layers)
    {
        throw std::invalid_argument("the stages' layers must add up to the model's " +
                                    std::to_string(model.layers) + ", not " +
                                    std::to_string(layers));
    }
    shares.front().hasEmbedding = true;
    shares.back().hasHead = true;
    return shares;
}

std::int64_t
StageParameters(const TransformerSpec& model, const StageShare& share)
{
    std::int64_t parameters = 0;
    for (const LikeLayers& layers : LikeLayersOf(model, share))
    {
        parameters += layers.count * LayerParameters(layers.shape);
    }
    if (share.hasEmbedding)
    {
        parameters += EmbeddingParameters(model);
    }
    if (share.hasHead)
    {
        parameters += HeadVectorParameters(model);
        const bool sharesMatrix = model.tiedEmbeddings && share.hasEmbedding;
        parameters += sharesMatrix ? 0 : VocabularyParameters(model);
    }
    return parameters;
}

Bytes
StageGradientBytes(const TransformerSpec& model, const StageShare& share)
{
    return Bytes::Of(StageParameters(model, share) * model.gradientBytesPerParameter);
}

Bytes
TiedEmbeddingGradientBytes(const TransformerSpec& model, const StageShare& share)
{
    const bool hasOneOfBoth = share.hasEmbedding != share.hasHead;
    const std::int64_t parameters =
        model.tiedEmbeddings && hasOneOfBoth ? VocabularyParameters(model) : 0;
    return Bytes::Of(parameters * model.gradientBytesPerParameter);
}

Bytes
BoundaryActivationBytes(const TransformerSpec& model, std::uint32_t microbatchSize)
{
    if (microbatchSize == 0 || microbatchSize > TransformerLimits::microbatchSize)
    {
        throw std::invalid_argument("microbatchSize must be from 1 to " +
                                    std::to_string(TransformerLimits::microbatchSize));
    }
    const std::int64_t bytesPerElement = ActivationBytes(model.precision);
    return Bytes::Of(std::int64_t{model.sequence} * model.hidden * bytesPerElement *
                     microbatchSize);
}

} // namespace geotrain
