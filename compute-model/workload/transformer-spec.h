// SPDX-License-Identifier: GPL-2.0-only
// Describes the shape of a decoder-only, dense transformer and counts its parameters. It ignores
// mixtures of experts and encoders.
#pragma once

#include "units/precision.h"

#include <cstdint>
#include <string>

namespace geotrain
{

/// A TransformerSpec is the shape of one model.
struct TransformerSpec
{
    std::string name;
    std::string source; ///< where the shape was published; empty for a user's own

    std::uint32_t layers = 0;
    std::uint32_t hidden = 0; ///< width h of the residual stream
    std::uint32_t heads = 0;  ///< query heads a
    /// Key-value heads, which must divide `heads`; fewer than `heads` is grouped-query attention.
    std::uint32_t kvHeads = 0;
    std::uint32_t headWidth = 0;  ///< width of one head, usually hidden / heads
    std::uint32_t ffnWidth = 0;   ///< inner width of the MLP
    bool gated = false;           ///< the MLP has a gate (SwiGLU): three matrices instead of two
    std::uint32_t vocabulary = 0; ///< size V, padded as it is trained
    bool tiedEmbeddings = false;  ///< the head is the transposed token embedding
    std::uint32_t sequence = 0;   ///< tokens s per training sequence
    std::uint32_t maxContext = 0; ///< longest sequence, hence rows of a learned position embedding
    /// Keys that a token attends to, its own among them (Mistral, arXiv 2310.06825, section 2); 0: all.
    std::uint32_t slidingWindow = 0;

    /// true: a position embedding (GPT); false: rotary, no parameters.
    bool learnedPositions = true;
    bool layerNorm = true;  ///< true: weight and bias (GPT); false: RMSNorm, weight only
    bool qkvBias = true;    ///< biases of query, key and value (GPT, Qwen2)
    bool linearBias = true; ///< biases of attention's output and of the MLP (GPT)

    std::uint32_t gradientBytesPerParameter = 2; ///< size in the all-reduce between replicas
    Precision precision = Precision::Bf16;       ///< format in which it is trained

    /// Returns the keys of a token behind the first window.
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
    static constexpr std::uint32_t ffnWidth = 10000000;
    static constexpr std::uint32_t vocabulary = 100000000;
    static constexpr std::uint32_t tokens = 10000000; ///< per sequence and per context
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

/// Counts one transformer layer: attention, MLP, two norms.
std::int64_t LayerParameters(const TransformerSpec& model);

/// Counts the token embedding and, where it is learned, the position embedding.
std::int64_t EmbeddingParameters(const TransformerSpec& model);

/// Counts the matrix vocabulary x hidden that tied embeddings share and every head has.
std::int64_t VocabularyParameters(const TransformerSpec& model);

/// Counts the norm before the head.
std::int64_t FinalNormParameters(const TransformerSpec& model);

/// Counts all layers, embeddings, the final norm, and the head where it isn't tied. This is what is
/// published as a model's size.
std::int64_t ParameterCount(const TransformerSpec& model);

} // namespace geotrain
