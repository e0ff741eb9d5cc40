// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model-catalogue.h"

#include "workload/released-models.h"

#include <algorithm>

namespace geotrain
{

namespace
{

struct LlamaShape
{
    std::uint32_t layers;
    std::uint32_t hidden;
    std::uint32_t heads;
    std::uint32_t ffnWidth;
    std::uint32_t vocabulary;
    std::uint32_t context;
};

/// Makes a Llama: 8 key-value heads, gated MLP, RMSNorm, rotary positions, no biases, untied head.
TransformerSpec
MakeLlama(const char* name, const LlamaShape& shape, const char* source)
{
    TransformerSpec model = MakeGpt(
        name, shape.layers, shape.hidden, shape.heads, shape.vocabulary, shape.context, false);
    model.source = source;
    model.kvHeads = 8;
    model.ffnWidth = shape.ffnWidth;
    model.gated = true;
    model.learnedPositions = false;
    model.layerNorm = false;
    model.qkvBias = false;
    model.outputBias = false;
    model.linearBias = false;
    return model;
}

TransformerSpec
WithSource(TransformerSpec model, const char* source)
{
    model.source = source;
    return model;
}

std::vector<TransformerSpec>
MakeCatalogue()
{
    const char* llama3 =
        "Grattafiori et al., The Llama 3 Herd of Models (arXiv 2407.21783), table 3";
    // The paper gives hidden and sequence. Layers, heads of 128 and GPT-2's vocabulary (padded to a
    // multiple of 128) are an estimate, meant to be set to the experiment's.
    const char* atlas =
        "Atlas (arXiv 2411.14458): hidden and sequence; the other figures are estimates";
    std::vector<TransformerSpec> models{
        WithSource(
            MakeGpt("gpt3-175b", 96, 12288, 96, 50257, 2048, true),
            "Brown et al., Language Models are Few-Shot Learners (arXiv 2005.14165), table 2.1"),
        MakeLlama(
            "llama2-70b",
            {80, 8192, 64, 28672, 32000, 4096},
            "Touvron et al., Llama 2 (arXiv 2307.09288); shape from its released config.json"),
        MakeLlama("llama3-8b", {32, 4096, 32, 14336, 128256, 8192}, llama3),
        MakeLlama("llama3-70b", {80, 8192, 64, 28672, 128256, 8192}, llama3),
        MakeLlama("llama3-405b", {126, 16384, 128, 53248, 128256, 8192}, llama3),
        WithSource(MakeGpt("gpt-a", 24, 4096, 32, 50304, 4096, false), atlas),
        WithSource(MakeGpt("gpt-b", 24, 8192, 64, 50304, 6144, false), atlas),
    };
    const auto released = ReleasedModels();
    models.insert(models.end(), released.begin(), released.end());
    return models;
}

} // namespace

const std::vector<TransformerSpec>&
ModelCatalogue()
{
    static const std::vector<TransformerSpec> catalogue = MakeCatalogue();
    return catalogue;
}

std::optional<TransformerSpec>
FindModel(std::string_view name)
{
    const auto& models = ModelCatalogue();
    const auto found =
        std::find_if(models.begin(),
                     models.end(),
                     [name](const TransformerSpec& model) { return model.name == name; });
    return found == models.end() ? std::nullopt : std::optional<TransformerSpec>(*found);
}

} // namespace geotrain
