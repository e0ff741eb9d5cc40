// SPDX-License-Identifier: GPL-2.0-only
// Describes the shape of a decoder-only transformer, dense or with mixtures of experts. It ignores
// encoders, cross attention, state-space layers and linear attention other than lightning attention.
#pragma once

#include "units/precision.h"
#include "workload/expert-spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// QueryKeyNorm says which weights normalise queries and keys.
enum class QueryKeyNorm : std::uint8_t
{
    None,
    PerHead,   ///< one head's width for all query heads, and as many for all key heads (Qwen3)
    WholeWidth ///< as wide as all query heads, and as all key heads (OLMo 2)
};

/// LatentAttention is what makes attention's keys and values of a narrow vector per token (multi-head
/// latent attention, DeepSeek-V2, arXiv 2405.04434, section 2.1).
struct LatentAttention
{
    std::uint32_t queryRank = 0;   ///< width of the queries' narrow vector; 0: queries have none
    std::uint32_t kvRank = 0;      ///< width of the keys' and values'; 0: attention is a usual one
    std::uint32_t rotaryWidth = 0; ///< part of headWidth that holds positions; its keys are shared
};

/// A LayerGroup is a run of layers that are alike.
struct LayerGroup
{
    std::uint32_t layers = 1;
    bool attendsToAll = false; ///< without the model's sliding window
    bool isDense = false;      ///< with an MLP of ffnWidth in the experts' place
    /// with lightning attention (MiniMax-01, arXiv 2501.08313, section 2.2): as many key-value heads as
    /// heads, and a normalised, gated result
    bool isLinear = false;
};

/// Says whether layers of two groups are alike.
bool AreAlike(const LayerGroup& one, const LayerGroup& other);

/// A TransformerSpec is the shape of one model.
struct TransformerSpec
{
    std::string name;
    std::string source; ///< where the shape was published; empty for a user's own
    std::vector<std::string> notes; ///< what an import left out of the model or didn't understand

    std::uint32_t layers = 0;
    std::uint32_t hidden = 0; ///< width h of the residual stream
    std::uint32_t heads = 0;  ///< query heads a
    /// Key-value heads, which must divide `heads`; fewer than `heads` is grouped-query attention.
    std::uint32_t kvHeads = 0;
    std::uint32_t headWidth = 0;  ///< width of one head's query and key, usually hidden / heads
    std::uint32_t valueWidth = 0; ///< width of one head's values; 0: headWidth
    LatentAttention latent;
    std::uint32_t ffnWidth = 0; ///< inner width of a dense MLP
    bool gated = false;         ///< MLPs have a gate (SwiGLU): three matrices instead of two
    ExpertSpec experts;
    std::uint32_t vocabulary = 0; ///< size V, padded as it is trained
    bool tiedEmbeddings = false;  ///< the head is the transposed token embedding
    std::uint32_t sequence = 0;   ///< tokens s per training sequence
    std::uint32_t maxContext = 0; ///< longest sequence, hence rows of a learned position embedding
    /// Keys that a token attends to, its own among them (Mistral, arXiv 2310.06825, section 2); 0: all.
    std::uint32_t slidingWindow = 0;
    /// The window is a chunk of the sequence: a token attends to what precedes it there (Llama 4).
    bool isWindowChunk = false;
    /// Tokens per block of linear attention: scores are computed inside a block, and what precedes it
    /// is a matrix of headWidth x headWidth per head. 0: no layer is linear.
    std::uint32_t linearBlock = 0;
    /// Attention's result is normalised and multiplied by a gate of its own width (layers of linear
    /// attention).
    bool gatedAttention = false;
    /// The layers in order, again and again until `layers` are reached; empty: all have the window
    /// and the experts, where there are any.
    std::vector<LayerGroup> layerGroups;

    /// true: a position embedding (GPT); false: rotary, no parameters.
    bool learnedPositions = true;
    bool layerNorm = true;  ///< true: weight and bias (GPT); false: RMSNorm, weight only
    bool normWeights = true; ///< false: norms have no weights at all (OLMo)
    std::uint32_t normsPerLayer = 2;
    bool embeddingNorm = false; ///< a norm behind the token embedding (BLOOM)
    QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
    bool qkvBias = true;    ///< biases of query, key and value (GPT, Qwen2)
    bool outputBias = true; ///< bias of attention's output (GPT)
    bool linearBias = true; ///< biases of the MLP (GPT)
    bool headBias = false;  ///< bias of the logits (GPT-J)
    bool attentionSinks = false; ///< a learned score per head (gpt-oss)
    /// Attention and MLP work on the same input side by side (GPT-J), and share one addition.
    bool parallelBlock = false;

    std::uint32_t gradientBytesPerParameter = 2; ///< size in the all-reduce between replicas
    Precision precision = Precision::Bf16;       ///< format in which it is trained

    std::uint32_t ValueWidth() const
    {
        return valueWidth == 0 ? headWidth : valueWidth;
    }

    /// Returns the keys of a token behind the first window, in layers that have it.
    std::uint32_t KeysPerToken() const
    {
        return slidingWindow == 0 || slidingWindow > sequence ? sequence : slidingWindow;
    }
};

/// TransformerLimits are the largest values that CheckTransformer() accepts. They lie beyond every
/// model that was trained, and are small enough that parameters, FLOPs and bytes can be counted.
struct TransformerLimits
{
    static constexpr std::uint32_t layers = 2000;
    static constexpr std::uint32_t hidden = 1000000;
    static constexpr std::uint32_t heads = 4096;
    static constexpr std::uint32_t ffnWidth = 10000000; ///< of all experts of a layer together
    static constexpr std::uint32_t experts = 10000;
    static constexpr std::uint32_t normsPerLayer = 8;
    static constexpr double capacityFactor = 100;
    static constexpr double imbalance = 10;
    static constexpr std::uint32_t vocabulary = 100000000;
    static constexpr std::uint32_t tokens = 20000000; ///< per sequence and per context
    static constexpr std::uint32_t gradientBytesPerParameter = 8;
    static constexpr std::uint32_t microbatchSize = 100000;
};

/// Makes a GPT: as many key-value heads as heads, an MLP of 4 x hidden, biases, learned positions,
/// a context as long as `sequence`. Throws std::invalid_argument where the heads don't divide
/// hidden.
TransformerSpec MakeGpt(const std::string& name,
                        std::uint32_t layers,
                        std::uint32_t hidden,
                        std::uint32_t heads,
                        std::uint32_t vocabulary,
                        std::uint32_t sequence,
                        bool tiedEmbeddings);

/// Throws std::invalid_argument whose text is "FIELD RULE" (`kvHeads must divide heads`) where a
/// field is zero, beyond TransformerLimits, or contradicts another.
void CheckTransformer(const TransformerSpec& model);

/// LikeLayers are layers of one kind.
struct LikeLayers
{
    TransformerSpec shape; ///< a model whose layers are all of this kind: layerGroups is empty
    std::uint32_t count = 0;
};

/// Returns `count` layers from layer `first` on by kind, in the order in which kinds appear. A
/// function of a model's layer, here and elsewhere, takes such a shape.
std::vector<LikeLayers>
LikeLayersOf(const TransformerSpec& model, std::uint32_t first, std::uint32_t count);

} // namespace geotrain
