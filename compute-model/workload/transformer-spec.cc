// SPDX-License-Identifier: GPL-2.0-only
#include "workload/transformer-spec.h"

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
    CheckRule(model.heads % model.kvHeads == 0, "kvHeads must divide heads");
    CheckRule(std::uint64_t{model.heads} * model.headWidth <= 4 * std::uint64_t{model.hidden},
              "headWidth x heads must be at most 4 x hidden");
    CheckRule(model.sequence <= model.maxContext, "sequence must be at most maxContext");
}

std::int64_t
LayerParameters(const TransformerSpec& model)
{
    const std::int64_t hidden = model.hidden;
    const std::int64_t queryWidth = std::int64_t{model.heads} * model.headWidth;
    const std::int64_t kvWidth = std::int64_t{model.kvHeads} * model.headWidth;
    const std::int64_t ffnWidth = model.ffnWidth;
    const std::int64_t intoFfn = model.gated ? 2 * ffnWidth : ffnWidth;

    const std::int64_t weights = hidden * (queryWidth + 2 * kvWidth) + queryWidth * hidden +
                                 hidden * intoFfn + ffnWidth * hidden;
    const std::int64_t norms = 2 * FinalNormParameters(model);
    const std::int64_t qkvBiases = model.qkvBias ? queryWidth + 2 * kvWidth : 0;
    const std::int64_t linearBiases = model.linearBias ? hidden + intoFfn + hidden : 0;
    return weights + norms + qkvBiases + linearBiases;
}

std::int64_t
EmbeddingParameters(const TransformerSpec& model)
{
    const std::int64_t positions =
        model.learnedPositions ? std::int64_t{model.maxContext} * model.hidden : 0;
    return VocabularyParameters(model) + positions;
}

std::int64_t
VocabularyParameters(const TransformerSpec& model)
{
    return std::int64_t{model.vocabulary} * model.hidden;
}

std::int64_t
FinalNormParameters(const TransformerSpec& model)
{
    return std::int64_t{model.layerNorm ? 2 : 1} * model.hidden;
}

std::int64_t
ParameterCount(const TransformerSpec& model)
{
    return model.layers * LayerParameters(model) + EmbeddingParameters(model) +
           FinalNormParameters(model) + (model.tiedEmbeddings ? 0 : VocabularyParameters(model));
}

} // namespace geotrain
