// SPDX-License-Identifier: GPL-2.0-only
#include "timing/layer-timing.h"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

constexpr double normsOfLayer = 2;
constexpr double residualsOfLayer = 2;
constexpr double allReducesOfPass = 2;

// Kernels besides products, attention and activation: norms and sums of the residual stream. Backward
// the gradients of queries, keys and values are joined.
constexpr double kernelsForward = normsOfLayer + residualsOfLayer;
constexpr double kernelsBackward = kernelsForward + 1;
constexpr double productsOfLayer = 4;

void
CheckDivides(std::uint32_t group, std::uint32_t count, const char* what)
{
    if (group == 0 || count % group != 0)
    {
        throw std::invalid_argument("tensorParallel (" + std::to_string(group) + ") must divide " +
                                    what + " (" + std::to_string(count) + ")");
    }
}

/// Returns the precision of all that is no linear product of a layer.
constexpr Precision
RestOf(Precision precision)
{
    return precision == Precision::Fp8 ? Precision::Bf16 : precision;
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
    : m_linearKernels(gpu, model.precision),
      m_kernels(gpu, RestOf(model.precision)),
      m_traffic(ActivationBytes(model.precision), gpu.efficiency.elementKernels),
      m_isFp8(model.precision == Precision::Fp8),
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
      m_keys(model.KeysPerToken()),
      m_headWidth(model.headWidth),
      m_fusesAttention(IsFused(execution.attention)),
      m_isCausal(execution.attention == Attention::FusedCausal),
      m_attentionRates(FusedAttentionRates(
          gpu.efficiency, execution.attention, model.headWidth, model.sequence)),
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
    return m_linearKernels.Matmul(m_tokens, m_hidden, m_queryWidth + 2 * m_kvWidth) +
           m_linearKernels.Matmul(m_tokens, m_queryWidth, m_hidden) +
           m_linearKernels.Matmul(m_tokens, m_hidden, MlpWidthIn()) +
           m_linearKernels.Matmul(m_tokens, m_ffnWidth, m_hidden);
}

/// Returns the bytes that bring queries, keys and values into the order of heads, and the result
/// back.
double
LayerTiming::LayoutTraffic() const
{
    return m_traffic.layoutChange * m_tokens * (2 * m_queryWidth + 2 * m_kvWidth);
}

/// Returns the bytes that bring one side of the layer's four products into FP8: two of them are as
/// wide as the model, and the others `width` together.
double
LayerTiming::CastTraffic(double width) const
{
    return m_isFp8 ? m_traffic.fp8Cast * m_tokens * (2 * m_hidden + width) : 0;
}

double
LayerTiming::AllReduceOfActivation() const
{
    return m_shownAllReduce * m_kernels.AllReduce(m_traffic.element * m_tokens * m_hidden, m_group);
}

/// Times a kernel that keeps the scores on chip, at `rate` of the peak. It does `products` products of s x k x headWidth per
/// head for k keys a token, of which a causal one leaves out those of the first k tokens that come
/// later. It reads or writes queries, keys, values and results `passesOverOperands` times.
double
LayerTiming::FusedAttention(double products, double rate, double passesOverOperands) const
{
    const double later = m_isCausal ? m_keys * m_keys / 2 : 0;
    const double scores = m_headsTimesSequences * (m_sequence * m_keys - later);
    const double operands = m_traffic.element * m_tokens * (2 * m_queryWidth + 2 * m_kvWidth);
    return m_kernels.FusedAttention(
        products * scores * m_headWidth, rate, passesOverOperands * operands);
}

double
LayerTiming::AttentionCoreForward() const
{
    if (m_fusesAttention)
    {
        return FusedAttention(2, m_attentionRates.forward, 1);
    }
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    return m_kernels.Matmul(m_sequence, m_headWidth, m_sequence, m_headsTimesSequences) +
           m_kernels.MemoryTraffic(m_traffic.softmaxForward * scores) +
           m_kernels.Matmul(m_sequence, m_sequence, m_headWidth, m_headsTimesSequences);
}

double
LayerTiming::AttentionCoreBackward() const
{
    if (m_fusesAttention)
    {
        // The scores again, and two gradients for each of the two products. Queries, keys, values
        // and results are read, and so are or are written their gradients.
        return FusedAttention(1 + 2 * 2, m_attentionRates.backward, 2);
    }
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    const double products =
        m_kernels.Matmul(m_sequence, m_headWidth, m_sequence, m_headsTimesSequences) +
        m_kernels.Matmul(m_sequence, m_sequence, m_headWidth, m_headsTimesSequences);
    return 2 * products + m_kernels.MemoryTraffic(m_traffic.softmaxBackward * scores);
}

/// Times the gradients of the weights: the forward pass's products with other sides in front, their
/// sums with those of the microbatches before, and the norms'.
double
LayerTiming::WeightGradients() const
{
    const double weights =
        m_hidden * (2 * m_queryWidth + 2 * m_kvWidth + MlpWidthIn() + m_ffnWidth);
    const double traffic = m_traffic.gradientSum * weights +
                           normsOfLayer * m_traffic.normWeightBackward * m_tokens * m_ownHidden;
    return LinearForward() + m_kernels.Elements(traffic, productsOfLayer + normsOfLayer);
}

PassSeconds
LayerTiming::Layer() const
{
    const double ownElements = m_tokens * m_ownHidden;
    const double mlpElements = m_tokens * m_ffnWidth;

    const double forwardTraffic =
        ownElements * (normsOfLayer * m_traffic.normForward +
                       residualsOfLayer * m_traffic.residualForward) +
        mlpElements * (m_gated ? m_traffic.gatedActivationForward : m_traffic.activationForward) +
        LayoutTraffic() + CastTraffic(m_queryWidth + m_ffnWidth);
    const double backwardTraffic =
        ownElements * (normsOfLayer * m_traffic.normBackward +
                       residualsOfLayer * m_traffic.residualBackward) +
        mlpElements * (m_gated ? m_traffic.gatedActivationBackward : m_traffic.activationBackward) +
        LayoutTraffic() + m_traffic.splitBackward * m_tokens * (m_queryWidth + 2 * m_kvWidth) +
        CastTraffic(m_queryWidth + 2 * m_kvWidth + MlpWidthIn());
    const double communication = allReducesOfPass * AllReduceOfActivation();

    PassSeconds seconds;
    seconds.forward = LinearForward() + AttentionCoreForward() +
                      m_kernels.Elements(forwardTraffic, kernelsForward + (m_gated ? 2 : 1)) +
                      communication;
    seconds.backwardInput = LinearForward() + AttentionCoreBackward() +
                            m_kernels.Elements(backwardTraffic, kernelsBackward + (m_gated ? 4 : 1)) +
                            communication;
    seconds.backwardWeight = WeightGradients();
    return seconds;
}

PassSeconds
LayerTiming::Embedding() const
{
    PassSeconds seconds;
    seconds.forward = m_kernels.MemoryTraffic(m_traffic.embeddingForward * m_tokens * m_hidden) +
                      AllReduceOfActivation();
    seconds.backwardWeight =
        m_kernels.MemoryTraffic(m_traffic.embeddingBackward * m_tokens * m_hidden +
                                m_traffic.embeddingTable * m_vocabulary * m_hidden);
    return seconds;
}

PassSeconds
LayerTiming::Head() const
{
    const double product = m_kernels.Matmul(m_tokens, m_hidden, m_vocabulary);
    const double logits = m_tokens * m_vocabulary;
    const double ownElements = m_tokens * m_ownHidden;
    PassSeconds seconds;
    seconds.forward = product + m_kernels.MemoryTraffic(m_traffic.normForward * ownElements +
                                                        m_traffic.lossForward * logits);
    seconds.backwardInput = product +
                            m_kernels.MemoryTraffic(m_traffic.normBackward * ownElements +
                                                    m_traffic.lossBackward * logits) +
                            AllReduceOfActivation();
    seconds.backwardWeight =
        product + m_kernels.MemoryTraffic(m_traffic.gradientSum * m_vocabulary * m_hidden);
    return seconds;
}

double
LayerTiming::InferenceForward() const
{
    const auto kernels = InferenceKernels();
    return std::accumulate(kernels.begin(), kernels.end(), 0.0);
}

std::vector<double>
LayerTiming::InferenceKernels() const
{
    const auto products = [this](double in, double out)
    { return m_linearKernels.Matmul(m_tokens, in, out); };
    const double norm = m_tokens * m_ownHidden * m_traffic.normForward;
    const double add = m_tokens * m_ownHidden * m_traffic.addForward;
    const double activation =
        m_tokens * m_ffnWidth *
        (m_gated ? m_traffic.gatedActivationForward : m_traffic.activationForward);
    return {m_kernels.Elements(norm, 1),
            products(m_hidden, m_queryWidth + 2 * m_kvWidth),
            m_kernels.MemoryTraffic(LayoutTraffic()),
            FusedAttention(2, m_attentionRates.forward, 1),
            products(m_queryWidth, m_hidden),
            AllReduceOfActivation(),
            m_kernels.Elements(add + norm, 2),
            products(m_hidden, MlpWidthIn()),
            m_kernels.Elements(activation + CastTraffic(m_queryWidth + m_ffnWidth),
                               m_gated ? 2 : 1),
            products(m_ffnWidth, m_hidden),
            AllReduceOfActivation(),
            m_kernels.Elements(add, 1)};
}

double
LayerTiming::InferenceHead() const
{
    const double sequences = m_tokens / m_sequence;
    return m_kernels.Matmul(sequences, m_hidden, m_vocabulary);
}

} // namespace geotrain
