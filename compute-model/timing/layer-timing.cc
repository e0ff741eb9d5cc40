// SPDX-License-Identifier: GPL-2.0-only
#include "timing/layer-timing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>

namespace geotrain
{

namespace
{

constexpr double residualsOfLayer = 2;
constexpr double normsOfHeads = 2; // of queries and of keys

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

LayerTiming::LayerTiming(const TransformerSpec& shape,
                         const GpuSpec& gpu,
                         const StageExecution& execution)
    : m_linearKernels(gpu, shape.precision),
      m_kernels(gpu, RestOf(shape.precision)),
      m_traffic(ActivationBytes(shape.precision), gpu.efficiency.elementKernels),
      m_isFp8(shape.precision == Precision::Fp8),
      m_group(execution.tensorParallel),
      m_tokens(static_cast<double>(execution.microbatchSize) * shape.sequence),
      m_hidden(shape.hidden),
      m_ownHidden(IsSequenceParallel(execution) ? m_hidden / m_group : m_hidden),
      m_queryWidth(ShareOf(shape.heads, m_group) * shape.headWidth),
      m_keyWidth(ShareOf(shape.kvHeads, m_group) * shape.headWidth),
      m_valueWidth(ShareOf(shape.kvHeads, m_group) * shape.ValueWidth()),
      m_resultWidth(ShareOf(shape.heads, m_group) * shape.ValueWidth()),
      m_matrices(AttentionMatrices(shape, m_group)),
      m_ffnWidth(shape.experts.count > 0 ? 0 : ShareOf(shape.ffnWidth, m_group)),
      m_mlpWidthIn(shape.gated ? 2 * m_ffnWidth : m_ffnWidth),
      m_vocabulary(ShareOf(shape.vocabulary, m_group)),
      m_gated(shape.gated),
      m_headsTimesSequences(ShareOf(shape.heads, m_group) * execution.microbatchSize),
      m_sequence(shape.sequence),
      m_keys(shape.KeysPerToken()),
      m_headWidth(shape.headWidth),
      m_headValueWidth(shape.ValueWidth()),
      m_isChunked(shape.isWindowChunk),
      m_norms(shape.normsPerLayer),
      m_normsHeads(shape.queryKeyNorm != QueryKeyNorm::None),
      m_isParallel(shape.parallelBlock),
      m_fusesAttention(IsFused(execution.attention)),
      m_isCausal(execution.attention == Attention::FusedCausal),
      m_attentionRates(FusedAttentionRates(
          gpu.efficiency, execution.attention, shape.headWidth, shape.sequence)),
      m_shownAllReduce(IsSequenceParallel(execution) ? 1 - execution.tensorOverlap : 1)
{
    CheckDivides(m_group, shape.heads, "heads");
    if (shape.experts.count > 0)
    {
        m_experts.emplace(shape, gpu, execution);
    }
    else
    {
        CheckDivides(m_group, shape.ffnWidth, "ffnWidth");
        const auto mlp = MlpMatrices(shape, shape.ffnWidth, m_group);
        m_matrices.insert(m_matrices.end(), mlp.begin(), mlp.end());
    }
    if (execution.microbatchSize == 0 || shape.sequence == 0)
    {
        throw std::invalid_argument("there must be at least one sequence of at least one token");
    }
}

double
LayerTiming::LinearForward() const
{
    double seconds = 0;
    for (const WeightMatrix& matrix : m_matrices)
    {
        seconds += m_linearKernels.Matmul(m_tokens, matrix.in, matrix.out);
    }
    return seconds;
}

/// Returns the widths of queries, keys, values and results together.
double
LayerTiming::AttentionWidths() const
{
    return m_queryWidth + m_keyWidth + m_valueWidth + m_resultWidth;
}

/// Returns the bytes that bring queries, keys and values into the order of heads, and the result
/// back.
double
LayerTiming::LayoutTraffic() const
{
    return m_traffic.layoutChange * m_tokens * AttentionWidths();
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

double
LayerTiming::AllReduces() const
{
    return m_isParallel ? 1 : 2;
}

/// Times a kernel that keeps the scores on chip, at `rate` of the peak. It does products of s x k x
/// headWidth and of s x k x valueWidth per head for k keys a token, of which a causal one leaves out
/// those of the first k tokens that come later, or of each chunk of k. It reads or writes queries,
/// keys, values and results `passesOverOperands` times.
double
LayerTiming::FusedAttention(double scoreProducts,
                            double valueProducts,
                            double rate,
                            double passesOverOperands) const
{
    const double laterPerSequence = (m_isChunked ? m_sequence : m_keys) * m_keys / 2;
    const double later = m_isCausal ? laterPerSequence : 0;
    const double scores = m_headsTimesSequences * (m_sequence * m_keys - later);
    const double widths = scoreProducts * m_headWidth + valueProducts * m_headValueWidth;
    const double operands = m_traffic.element * m_tokens * AttentionWidths();
    return m_kernels.FusedAttention(scores * widths, rate, passesOverOperands * operands);
}

double
LayerTiming::AttentionCoreForward() const
{
    if (m_fusesAttention)
    {
        return FusedAttention(1, 1, m_attentionRates.forward, 1);
    }
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    return m_kernels.Matmul(m_sequence, m_headWidth, m_sequence, m_headsTimesSequences) +
           m_kernels.MemoryTraffic(m_traffic.softmaxForward * scores) +
           m_kernels.Matmul(m_sequence, m_sequence, m_headValueWidth, m_headsTimesSequences);
}

double
LayerTiming::AttentionCoreBackward() const
{
    if (m_fusesAttention)
    {
        // The scores again, and two gradients for each of the two products. Queries, keys, values
        // and results are read, and so are or are written their gradients.
        return FusedAttention(1 + 2, 2, m_attentionRates.backward, 2);
    }
    const double scores = m_headsTimesSequences * m_sequence * m_sequence;
    const double products =
        m_kernels.Matmul(m_sequence, m_headWidth, m_sequence, m_headsTimesSequences) +
        m_kernels.Matmul(m_sequence, m_sequence, m_headValueWidth, m_headsTimesSequences);
    return 2 * products + m_kernels.MemoryTraffic(m_traffic.softmaxBackward * scores);
}

/// Times the gradients of the weights: the forward pass's products with other sides in front, their
/// sums with those of the microbatches before, and the norms'.
double
LayerTiming::WeightGradients() const
{
    const double traffic = m_traffic.gradientSum * Elements(m_matrices) +
                           m_norms * m_traffic.normWeightBackward * m_tokens * m_ownHidden;
    return LinearForward() +
           m_kernels.Elements(traffic, static_cast<double>(m_matrices.size()) + m_norms);
}

PassSeconds
LayerTiming::Layer() const
{
    const double ownElements = m_tokens * m_ownHidden;
    const double mlpElements = m_tokens * m_ffnWidth;
    const double headElements = m_normsHeads ? m_tokens * (m_queryWidth + m_keyWidth) : 0;
    // Kernels besides products, attention and activation: norms and sums of the residual stream.
    // Backward the gradients of queries, keys and values are joined.
    const double kernels = m_norms + residualsOfLayer + (m_normsHeads ? normsOfHeads : 0);
    const bool isDense = !m_experts;

    const double forwardTraffic =
        ownElements *
            (m_norms * m_traffic.normForward + residualsOfLayer * m_traffic.residualForward) +
        mlpElements * (m_gated ? m_traffic.gatedActivationForward : m_traffic.activationForward) +
        LayoutTraffic() + CastTraffic(m_resultWidth + m_ffnWidth) +
        headElements * m_traffic.normForward;
    const double backwardTraffic =
        ownElements *
            (m_norms * m_traffic.normBackward + residualsOfLayer * m_traffic.residualBackward) +
        mlpElements * (m_gated ? m_traffic.gatedActivationBackward : m_traffic.activationBackward) +
        LayoutTraffic() +
        m_traffic.splitBackward * m_tokens * (m_queryWidth + m_keyWidth + m_valueWidth) +
        CastTraffic(m_queryWidth + m_keyWidth + m_valueWidth + m_mlpWidthIn) +
        headElements * (m_traffic.normBackward + m_traffic.normWeightBackward);
    const double communication = AllReduces() * AllReduceOfActivation();
    const double activation = isDense ? (m_gated ? 2 : 1) : 0;
    const double activationBackward = isDense ? (m_gated ? 4 : 1) : 0;

    PassSeconds seconds;
    seconds.forward = LinearForward() + AttentionCoreForward() +
                      m_kernels.Elements(forwardTraffic, kernels + activation) + communication;
    seconds.backwardInput = LinearForward() + AttentionCoreBackward() +
                            m_kernels.Elements(backwardTraffic, kernels + 1 + activationBackward) +
                            communication;
    seconds.backwardWeight = WeightGradients();
    if (m_experts)
    {
        const PassSeconds experts = m_experts->Pass();
        seconds.forward += experts.forward;
        seconds.backwardInput += experts.backwardInput;
        seconds.backwardWeight += experts.backwardWeight;
    }
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
    const auto product = [this](const WeightMatrix& matrix)
    { return m_linearKernels.Matmul(m_tokens, matrix.in, matrix.out); };
    const double norm = m_tokens * m_ownHidden * m_traffic.normForward;
    const double add = m_tokens * m_ownHidden * m_traffic.addForward;
    const double headNorms =
        m_normsHeads ? m_tokens * (m_queryWidth + m_keyWidth) * m_traffic.normForward : 0;
    const std::size_t ofMlp = m_experts ? 0 : 2;
    const auto output = static_cast<std::ptrdiff_t>(m_matrices.size() - ofMlp - 1);
    std::vector<double> kernels{m_kernels.Elements(norm, 1)};
    std::transform(
        m_matrices.begin(), m_matrices.begin() + output, std::back_inserter(kernels), product);
    kernels.insert(
        kernels.end(),
        {m_kernels.Elements(LayoutTraffic() + headNorms, m_normsHeads ? normsOfHeads : 0),
         InferenceAttention(),
         product(m_matrices[static_cast<std::size_t>(output)]),
         m_isParallel ? 0 : AllReduceOfActivation(),
         m_kernels.Elements(add + norm, 2)});
    if (m_experts)
    {
        const auto experts = m_experts->InferenceKernels();
        kernels.insert(kernels.end(), experts.begin(), experts.end());
    }
    else
    {
        const double activation =
            m_tokens * m_ffnWidth *
            (m_gated ? m_traffic.gatedActivationForward : m_traffic.activationForward);
        kernels.insert(kernels.end(),
                       {product(m_matrices[m_matrices.size() - 2]),
                        m_kernels.Elements(activation + CastTraffic(m_resultWidth + m_ffnWidth),
                                           m_gated ? 2 : 1),
                        product(m_matrices.back())});
    }
    kernels.insert(kernels.end(), {AllReduceOfActivation(), m_kernels.Elements(add, 1)});
    return kernels;
}

std::size_t
LayerTiming::AttentionKernel() const
{
    // A norm, the products before attention, and the change of layout come first.
    return m_matrices.size() - (m_experts ? 0 : 2) - 1 + 2;
}

double
LayerTiming::InferenceAttention() const
{
    return FusedAttention(1, 1, m_attentionRates.forward, 1);
}

double
LayerTiming::ReadOfKeysAndValues() const
{
    const double sequences = m_tokens / m_sequence;
    return m_kernels.MemoryTraffic(m_traffic.element * sequences * m_keys *
                                   (m_keyWidth + m_valueWidth));
}

double
LayerTiming::InferenceHead() const
{
    const double sequences = m_tokens / m_sequence;
    return m_kernels.Matmul(sequences, m_hidden, m_vocabulary);
}

} // namespace geotrain
