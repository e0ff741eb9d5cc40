// SPDX-License-Identifier: GPL-2.0-only
#include "workload/transformer-spec.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

void
CheckRange(const char* field, std::uint32_t value, std::uint32_t most)
{
    if (value < 1 || value > most)
    {
        throw std::invalid_argument(std::string(field) + " must be from 1 to " +
                                    std::to_string(most) + ", not " + std::to_string(value));
    }
}

void
CheckRule(bool holds, const char* fieldAndRule)
{
    if (!holds)
    {
        throw std::invalid_argument(fieldAndRule);
    }
}

void
CheckExperts(const TransformerSpec& model)
{
    const ExpertSpec& experts = model.experts;
    CheckRange("experts.perToken", experts.perToken, experts.count);
    CheckRange("experts.width", experts.width, TransformerLimits::ffnWidth);
    CheckRule(std::uint64_t{experts.count} * experts.width <= TransformerLimits::ffnWidth,
              "experts.width x count must be at most 10000000");
    CheckRule(experts.sharedWidth <= TransformerLimits::ffnWidth,
              "experts.sharedWidth must be at most 10000000");
    CheckRule(!experts.hasSharedGate || experts.sharedWidth > 0,
              "experts.sharedGate needs sharedWidth");
    CheckRule(experts.groups == 0 || experts.count % experts.groups == 0,
              "experts.groups must divide count");
    CheckRule((experts.groups == 0) == (experts.groupsPerToken == 0) &&
                  experts.groupsPerToken <= experts.groups,
              "experts.groupsPerToken must be from 1 to groups, and goes with it");
    CheckRule(experts.groups == 0 || experts.perToken <= std::uint64_t{experts.groupsPerToken} *
                                                             (experts.count / experts.groups),
              "experts.perToken must be at most the experts of groupsPerToken groups");
    CheckRule(experts.capacityFactor >= 0 &&
                  experts.capacityFactor <= TransformerLimits::capacityFactor,
              "experts.capacityFactor must be from 0 to 100");
    CheckRule(experts.imbalance >= 0 && experts.imbalance <= TransformerLimits::imbalance,
              "experts.imbalance must be from 0 to 10");
}

void
CheckAttention(const TransformerSpec& model)
{
    const LatentAttention& latent = model.latent;
    CheckRule(model.heads % model.kvHeads == 0, "kvHeads must divide heads");
    // DeepSeek-V2's heads together are 4.8 times as wide as its hidden state.
    CheckRule(std::uint64_t{model.heads} * std::max(model.headWidth, model.ValueWidth()) <=
                  16 * std::uint64_t{model.hidden},
              "headWidth x heads must be at most 16 x hidden");
    CheckRule(latent.kvRank > 0 || (latent.queryRank == 0 && latent.rotaryWidth == 0),
              "latent.kvRank must be set where another field of it is");
    CheckRule(latent.kvRank == 0 || model.kvHeads == model.heads,
              "kvHeads must be heads where attention is latent");
    CheckRule(std::max(latent.queryRank, latent.kvRank) <= TransformerLimits::hidden,
              "latent.kvRank and queryRank must be at most 1000000");
    CheckRule(latent.kvRank == 0 || latent.rotaryWidth < model.headWidth,
              "latent.rotaryWidth must be less than headWidth");
    CheckRule(model.linearBlock <= TransformerLimits::tokens,
              "linearBlock must be at most 20000000");
    CheckRule(!model.isWindowChunk || model.slidingWindow > 0, "windowIsChunk needs slidingWindow");
}

void
CheckLayerGroups(const TransformerSpec& model)
{
    std::uint64_t layers = 0;
    for (const LayerGroup& group : model.layerGroups)
    {
        CheckRange("layerGroup", group.layers, model.layers);
        CheckRule(!group.attendsToAll || model.slidingWindow > 0,
                  "layerGroup has layers that attend to all keys, which needs slidingWindow");
        CheckRule(!group.isDense || model.experts.count > 0,
                  "layerGroup has dense layers, which needs experts");
        CheckRule(!group.isLinear || model.linearBlock > 0,
                  "layerGroup has layers of linear attention, which needs linearBlock");
        CheckRule(!group.isLinear || model.latent.kvRank == 0,
                  "layerGroup has layers of linear attention, which can't be latent");
        layers += group.layers;
    }
    CheckRule(layers <= model.layers, "layerGroup must have at most the model's layers");
}

/// Returns the group of each of the model's first `end` layers.
std::vector<LayerGroup>
GroupOfLayers(const TransformerSpec& model, std::uint32_t end)
{
    std::vector<LayerGroup> ofLayers;
    while (ofLayers.size() < end)
    {
        for (const LayerGroup& group : model.layerGroups)
        {
            ofLayers.insert(ofLayers.end(), group.layers, group);
        }
    }
    ofLayers.resize(end);
    return ofLayers;
}

/// Returns the model with all layers as in the group.
TransformerSpec
ShapeOf(const TransformerSpec& model, const LayerGroup& group)
{
    TransformerSpec shape = model;
    shape.layerGroups.clear();
    if (group.attendsToAll)
    {
        shape.slidingWindow = 0;
        shape.isWindowChunk = false;
    }
    if (group.isDense)
    {
        shape.experts = {};
    }
    if (group.isLinear)
    {
        // Per token and head, the scores of a block and their product with the values take
        // 2 x linearBlock / 2 x headWidth multiply-adds on average, and the matrix of what precedes the
        // block 2 x headWidth^2 to use and to update: the work of so many keys.
        shape.slidingWindow = model.linearBlock / 2 + model.headWidth;
        shape.isWindowChunk = false;
        shape.kvHeads = model.heads;
        shape.gatedAttention = true;
    }
    return shape;
}

} // namespace

TransformerSpec
MakeGpt(const std::string& name,
        std::uint32_t layers,
        std::uint32_t hidden,
        std::uint32_t heads,
        std::uint32_t vocabulary,
        std::uint32_t sequence,
        bool tiedEmbeddings)
{
    CheckRule(heads > 0 && hidden % heads == 0, "heads must divide hidden");
    TransformerSpec model;
    model.name = name;
    model.layers = layers;
    model.hidden = hidden;
    model.heads = heads;
    model.kvHeads = heads;
    model.headWidth = hidden / heads;
    model.ffnWidth = 4 * hidden;
    model.vocabulary = vocabulary;
    model.tiedEmbeddings = tiedEmbeddings;
    model.sequence = sequence;
    model.maxContext = sequence;
    return model;
}

void
CheckTransformer(const TransformerSpec& model)
{
    CheckRange("layers", model.layers, TransformerLimits::layers);
    CheckRange("hidden", model.hidden, TransformerLimits::hidden);
    CheckRange("heads", model.heads, TransformerLimits::heads);
    CheckRange("kvHeads", model.kvHeads, TransformerLimits::heads);
    CheckRange("headWidth", model.headWidth, TransformerLimits::hidden);
    CheckRange("ffnWidth", model.ffnWidth, TransformerLimits::ffnWidth);
    CheckRange("vocabulary", model.vocabulary, TransformerLimits::vocabulary);
    CheckRange("sequence", model.sequence, TransformerLimits::tokens);
    CheckRange("maxContext", model.maxContext, TransformerLimits::tokens);
    CheckRange("gradientBytesPerParameter",
               model.gradientBytesPerParameter,
               TransformerLimits::gradientBytesPerParameter);
    CheckRule(model.valueWidth <= TransformerLimits::hidden, "valueWidth must be at most 1000000");
    CheckRange("normsPerLayer", model.normsPerLayer, TransformerLimits::normsPerLayer);
    CheckRule(model.sequence <= model.maxContext, "sequence must be at most maxContext");
    CheckAttention(model);
    CheckRule(model.experts.count <= TransformerLimits::experts,
              "experts.count must be at most 10000");
    if (model.experts.count > 0)
    {
        CheckExperts(model);
    }
    CheckLayerGroups(model);
}

bool
AreAlike(const LayerGroup& one, const LayerGroup& other)
{
    return one.attendsToAll == other.attendsToAll && one.isDense == other.isDense &&
           one.isLinear == other.isLinear;
}

std::vector<LikeLayers>
LikeLayersOf(const TransformerSpec& model, std::uint32_t first, std::uint32_t count)
{
    if (model.layerGroups.empty())
    {
        return {{model, count}};
    }
    std::vector<LikeLayers> all;
    std::vector<LayerGroup> kinds;
    const auto groups = GroupOfLayers(model, first + count);
    for (std::uint32_t layer = first; layer < first + count; ++layer)
    {
        const LayerGroup& own = groups[layer];
        const auto kind =
            std::find_if(kinds.begin(),
                         kinds.end(),
                         [&own](const LayerGroup& other) { return AreAlike(own, other); });
        if (kind == kinds.end())
        {
            kinds.push_back(own);
            all.push_back({ShapeOf(model, own), 1});
            continue;
        }
        ++all[static_cast<std::size_t>(kind - kinds.begin())].count;
    }
    return all;
}

} // namespace geotrain
