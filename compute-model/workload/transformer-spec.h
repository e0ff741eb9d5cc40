// The shape of a decoder-only, dense transformer, and the parameters that it has. It ignores
// mixtures of experts, encoders and sliding-window attention.
#pragma once

#include <cstdint>
#include <string>

namespace geotrain
{

struct TransformerSpec
{
    std::string name;
    std::string source; ///< where the shape was published; empty for a user's own

    std::uint32_t layers = 0;
    std::uint32_t hidden = 0; ///< width h of the residual stream
    std::uint32_t heads = 0;  ///< query heads a
    std::uint32_t kvHeads =
        0; ///< key-value heads; divides `heads` (fewer: grouped-query attention)
    std::uint32_t headWidth = 0;  ///< of one head, usually hidden / heads
    std::uint32_t ffnWidth = 0;   ///< inner width of the MLP
    bool gated = false;           ///< MLP with gate (SwiGLU): three matrices instead of two
    std::uint32_t vocabulary = 0; ///< V, padded as it is trained
    bool tiedEmbeddings = false;  ///< the head is the transposed token embedding
    std::uint32_t sequence = 0;   ///< tokens s of a training sequence
    std::uint32_t maxContext = 0; ///< longest sequence; rows of the learned position embedding

    bool learnedPositions = true; ///< GPT: a position embedding; false: rotary, no parameters
    bool layerNorm = true;        ///< GPT: weight and bias; false: RMSNorm, weight only
    bool qkvBias = true;          ///< GPT, Qwen2
    bool linearBias = true;       ///< GPT: of attention's output and of the MLP

    std::uint32_t gradientBytesPerParameter = 2; ///< as all-reduced between replicas
};

/// The largest values that CheckTransformer() takes: beyond every model that was trained, and small
/// enough that parameters, FLOPs and bytes can be counted.
struct TransformerLimits
{
    static constexpr std::uint32_t layers = 2000;
    static constexpr std::uint32_t hidden = 1000000;
    static constexpr std::uint32_t heads = 4096;
    static constexpr std::uint32_t ffnWidth = 10000000;
    static constexpr std::uint32_t vocabulary = 100000000;
    static constexpr std::uint32_t tokens = 10000000; ///< of a sequence, of the context
    static constexpr std::uint32_t gradientBytesPerParameter = 8;
    static constexpr std::uint32_t microbatchSize = 100000;
};

/// A GPT: as many key-value heads as heads, MLP of 4 x hidden, biases, learned positions, context as
/// long as `sequence`. Throws std::invalid_argument where the heads don't divide hidden.
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

/// One transformer layer: attention, MLP, two norms.
std::int64_t LayerParameters(const TransformerSpec& model);

/// Token embedding and, where learned, position embedding.
std::int64_t EmbeddingParameters(const TransformerSpec& model);

/// The matrix vocabulary x hidden that tied embeddings share, and every head has.
std::int64_t VocabularyParameters(const TransformerSpec& model);

/// The norm before the head.
std::int64_t FinalNormParameters(const TransformerSpec& model);

/// All layers, embeddings, final norm, and the head where it isn't tied: what is published as a
/// model's size.
std::int64_t ParameterCount(const TransformerSpec& model);

} // namespace geotrain
