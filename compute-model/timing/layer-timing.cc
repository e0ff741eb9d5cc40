// SPDX-License-Identifier: GPL-2.0-only
#include "timing/layer-timing.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

// Bytes that a kernel reads and writes per element, at 2 bytes per element and 1 per dropout mask
// entry: inputs + outputs (+ mask).
constexpr double normForward = 2 + 2;
constexpr double normBackward = (2 + 2) + 2;          // gradient, input
constexpr double dropoutAddForward = (2 + 2) + 2 + 1; // with the bias, into the residual stream
constexpr double addForward = (2 + 2) + 2;            // the same without dropout
constexpr double dropoutAddBackward = (2 + 1) + 2 + (2 + 2) + 2; // and the sum of the two gradients
constexpr double softmaxDropoutForward = (2 + 2) + (2 + 2 + 1);
constexpr double softmaxDropoutBackward = (2 + 2 + 2) + (2 + 1 + 2);
constexpr double layoutChange = 2 + 2;      // heads to the front and back
constexpr double activationForward = 2 + 2; // GELU
constexpr double activationBackward = (2 + 2) + 2;
constexpr double gatedActivationForward = (2 + 2) + 2; // SwiGLU, a result element
constexpr double gatedActivationBackward = (2 + 2 + 2) + (2 + 2);
// The embedding looks up a row, adds the position and drops out. Backward it undoes dropout and
// sums into the fp32 gradient.
constexpr double embeddingForward = (2 + 2) + (2 + 2 + 2) + (2 + 2 + 1);
constexpr double embeddingBackward = (2 + 1 + 2) + (2 + 4 + 4);
// Vocabulary-parallel cross entropy on fp32 logits converts, finds the maximum, subtracts,
// exponentiates, sums and divides.
constexpr double lossForward = (2 + 4) + 4 + (4 + 4) + (4 + 4) + 4 + (4 + 4);
constexpr double lossBackward = (4 + 4) + (4 + 2); // scale, convert

constexpr double normsOfLayer = 2;
constexpr double residualsOfLayer = 2;
constexpr double allReducesOfPass = 2;

void
CheckDivides(std::uint32_t group, std::uint32_t count, const char* what)
{
    if (group == 0 || count % group != 0)
    {
        throw std::invalid_argument("tensorParallel (" + std::to_string(group) + ") must divide " +
                                    what + " (" + std::to_string(count) + ")");
    }
}

double
ShareOf(double count, std::uint32_t group)
{
    return std::ceil(count / group);
}

} // namespace

LayerTiming::LayerTiming(const TransformerSpec& model,
                         const GpuSpec& gpu,
                         const StageExecution& execution)
    : m_kernels(gpu),
      m_group(execution.tensorParallel),
      m_tokens(static_cast<double>(execution.microbatchSize) * model.sequence),
      m_hidden(model.hidden),
      m_ownHidden(IsSequenceParallel(execution) ? m_hidden / m_group : m_hidden),
      m_queryWidth(ShareOf(model.heads, m_group) * model.headWidth),
      m_kvWidth(ShareOf(model.kvHeads, m_group) * model.headWidth),
      m_ffnWidth(ShareOf(model.ffnWidth, m_group)),
      m_vocabulary(ShareOf(model.vocabulary, m_group)),
      m_gated(model.gated),
      m_headsTimesSequences(ShareOf(model.heads, m_group) * execution.microbatchSize),
      m_sequence(model.sequence),
      m_headWidth(model.headWidth),
      m_fusesAttention(execution.attention == Attention::Fused),
      m_shownAllReduce(IsSequenceParallel(execution) ? 1 - execution.tensorOverlap : 1)
{
    CheckDivides(m_group, model.heads, "heads");
    CheckDivides(m_group, model.ffnWidth, "ffnWidth");
    if (execution.microbatchSize == 0 || model.sequence == 0)
    {
        throw std::invalid_argument("there must be at least one sequence of at least one token");
    }
}

double
LayerTiming::MlpWidthIn() const
{
    return m_gated ? 2 * m_ffnWidth : m_ffnWidth;
}

double
LayerTiming::LinearForward() const
{
    return m_kernels.Matmul(m_tokens, m_hidden, m_queryWidth + 2 * m_kvWidth) +
           m_kernels.Matmul(m_tokens, m_queryWidth, m_hidden) +
           m_kernels.Matmul(m_tokens, m_hidden, MlpWidthIn()) +
           m_kernels.Matmul(m_tokens, m_ffnWidth, m_hidden);
}

/// Returns the bytes that bring queries, keys and values into the order of heads, and the result
/// back.
double
LayerTiming::LayoutTraffic() const
{
    return layoutChange * m_tokens * (2 * m_queryWidth + 2 * m_kvWidth);
}

double
LayerTiming::AllReduceOfActivation() const
{
    return m_shownAllReduce * m_kernels.AllReduce(bytesPerElement * m_tokens * m_hidden, m_group);
}

/// Times a kernel that keeps the scores on chip. It does `products` products of s x s x headWidth
/// per head, and reads or writes queries, keys, values and results `passesOverOperands` times.
double
LayerTiming::FusedAttention(double products, double passesOverOperands) const
{
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    const double operands = bytesPerElement * m_tokens * (2 * m_queryWidth + 2 * m_kvWidth);
    return m_kernels.FusedAttention(products * scores * m_headWidth, passesOverOperands * operands);
}

double
LayerTiming::AttentionCoreForward() const
{
    if (m_fusesAttention)
    {
        return FusedAttention(2, 1);
    }
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    return m_kernels.Matmul(m_sequence, m_headWidth, m_sequence, m_headsTimesSequences) +
           m_kernels.MemoryTraffic(softmaxDropoutForward * scores) +
           m_kernels.Matmul(m_sequence, m_sequence, m_headWidth, m_headsTimesSequences);
}

double
LayerTiming::AttentionCoreBackward() const
{
    if (m_fusesAttention)
    {
        // The scores again, and two gradients for each of the two products. Queries, keys, values
        // and results are read, and so are or are written their gradients.
        return FusedAttention(1 + 2 * 2, 2);
    }
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    const double products =
        m_kernels.Matmul(m_sequence, m_headWidth, m_sequence, m_headsTimesSequences) +
        m_kernels.Matmul(m_sequence, m_sequence, m_headWidth, m_headsTimesSequences);
    return 2 * products + m_kernels.MemoryTraffic(softmaxDropoutBackward * scores);
}

PassSeconds
LayerTiming::Layer() const
{
    const double ownElements = m_tokens * m_ownHidden;
    const double mlpElements = m_tokens * m_ffnWidth;

    const double forwardTraffic =
        ownElements * (normsOfLayer * normForward + residualsOfLayer * dropoutAddForward) +
        mlpElements * (m_gated ? gatedActivationForward : activationForward) + LayoutTraffic();
    const double backwardTraffic =
        ownElements * (normsOfLayer * normBackward + residualsOfLayer * dropoutAddBackward) +
        mlpElements * (m_gated ? gatedActivationBackward : activationBackward) + LayoutTraffic();
    const double communication = allReducesOfPass * AllReduceOfActivation();

    PassSeconds seconds;
    seconds.forward = LinearForward() + AttentionCoreForward() +
                      m_kernels.MemoryTraffic(forwardTraffic) + communication;
    seconds.backwardInput = LinearForward() + AttentionCoreBackward() +
                            m_kernels.MemoryTraffic(backwardTraffic) + communication;
    seconds.backwardWeight = LinearForward(); // the same products with other sides in front
    return seconds;
}

PassSeconds
LayerTiming::Embedding() const
{
    PassSeconds seconds;
    seconds.forward =
        m_kernels.MemoryTraffic(embeddingForward * m_tokens * m_hidden) + AllReduceOfActivation();
    seconds.backwardWeight = m_kernels.MemoryTraffic(embeddingBackward * m_tokens * m_hidden);
    return seconds;
}

PassSeconds
LayerTiming::Head() const
{
    const double product = m_kernels.Matmul(m_tokens, m_hidden, m_vocabulary);
    const double logits = m_tokens * m_vocabulary;
    const double ownElements = m_tokens * m_ownHidden;
    PassSeconds seconds;
    seconds.forward =
        product + m_kernels.MemoryTraffic(normForward * ownElements + lossForward * logits);
    seconds.backwardInput =
        product + m_kernels.MemoryTraffic(normBackward * ownElements + lossBackward * logits) +
        AllReduceOfActivation();
    seconds.backwardWeight = product;
    return seconds;
}

double
LayerTiming::InferenceForward() const
{
    const double traffic =
        m_tokens * m_ownHidden * (normsOfLayer * normForward + residualsOfLayer * addForward) +
        m_tokens * m_ffnWidth * (m_gated ? gatedActivationForward : activationForward) +
        LayoutTraffic();
    return LinearForward() + FusedAttention(2, 1) + m_kernels.MemoryTraffic(traffic) +
           allReducesOfPass * AllReduceOfActivation();
}

double
LayerTiming::InferenceHead() const
{
    const double sequences = m_tokens / m_sequence;
    return m_kernels.Matmul(sequences, m_hidden, m_vocabulary);
}

} // namespace geotrain
