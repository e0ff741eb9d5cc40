// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long the parts of a transformer take on one GPU of a tensor-parallel group: a
// layer, the embedding, the head. Kernels and their memory traffic are those that the GPU's constants
// go with: eager PyTorch's, or Megatron-LM's of 2021 with dropout. Each layer has two all-reduces per
// pass (Shoeybi et al. 2019; Korthikanti et al. 2022 for sequence parallelism). Attention is fused
// (FlashAttention, cuDNN), or its scores pass through memory.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/attention-rates.h"
#include "timing/element-traffic.h"
#include "timing/expert-timing.h"
#include "timing/kernel-timing.h"
#include "timing/pass-seconds.h"
#include "workload/stage-execution.h"
#include "workload/transformer-spec.h"
#include "workload/weight-matrices.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// LayerTiming times the parts of one model on one GPU type. The model's layers are alike: they are
/// those of one kind of LikeLayers.
class LayerTiming
{
  public:
    /// Times passes of a microbatch. Throws std::invalid_argument where the group can't share a
    /// layer, and for no token or sequence.
    LayerTiming(const TransformerSpec& shape, const GpuSpec& gpu, const StageExecution& execution);

    /// Times a transformer layer in training.
    PassSeconds Layer() const;

    /// Times attention's scores, softmax, dropout and product with the values, forward. Selective
    /// recomputation runs these again where they are not fused.
    double AttentionCoreForward() const;

    /// Times the gradients of attention's queries, keys and values. Fused attention computes the
    /// scores again.
    double AttentionCoreBackward() const;

    /// Times the embedding in training.
    PassSeconds Embedding() const;

    /// Times the head in training.
    PassSeconds Head() const;

    /// Times one of the group's all-reduces of a layer's result.
    double AllReduceOfActivation() const;

    /// Returns how many of them a layer has in a pass.
    double AllReduces() const;

    /// Times a layer's forward pass at inference. It has no dropout. `execution` must have fused attention.
    double InferenceForward() const;

    /// Times the kernels of that pass in their order. All casts to FP8 are one of them.
    std::vector<double> InferenceKernels() const;

    /// Returns the index of attention among these kernels, and times it alone.
    std::size_t AttentionKernel() const;
    double InferenceAttention() const;

    /// Times reading the keys and values that a token meets, of all sequences.
    double ReadOfKeysAndValues() const;

    /// Times the head's product for the last token of each sequence.
    double InferenceHead() const;

  private:
    double LinearForward() const;
    double LayoutTraffic() const;
    double WeightGradients() const;
    double CastTraffic(double width) const;
    double AttentionWidths() const;
    double FusedAttention(double scoreProducts,
                          double valueProducts,
                          double rate,
                          double passesOverOperands) const;

    KernelTiming m_linearKernels; ///< of the layers' products with weights
    KernelTiming m_kernels;
    ElementTraffic m_traffic;
    bool m_isFp8;
    std::uint32_t m_group;
    double m_tokens; ///< tokens of all sequences together
    double m_hidden;
    /// Width that one GPU normalises: h, or h/t with sequence parallelism.
    double m_ownHidden;
    double m_queryWidth; ///< width of one GPU's query heads
    /// Width of one GPU's key heads; where there are fewer heads than GPUs, GPUs hold copies.
    double m_keyWidth;
    double m_valueWidth;                   ///< width of one GPU's value heads
    double m_resultWidth;                  ///< width of what one GPU's query heads make of them
    std::vector<WeightMatrix> m_matrices;  ///< one GPU's of attention, and of a dense MLP
    std::optional<ExpertTiming> m_experts; ///< in the MLP's place
    double m_ffnWidth;   ///< one GPU's share of a dense MLP's inner width; 0: there is none
    double m_mlpWidthIn; ///< width of its first product
    double m_vocabulary; ///< one GPU's share of V, rounded up
    bool m_gated;
    double m_headsTimesSequences; ///< products per batch on one GPU
    double m_sequence;
    double m_keys; ///< keys of a token
    double m_headWidth;
    double m_headValueWidth;
    bool m_isChunked; ///< the window is a chunk of the sequence
    double m_norms;   ///< of the hidden state, in a layer
    bool m_normsHeads;
    bool m_isParallel;
    bool m_fusesAttention;
    bool m_isCausal;         ///< fused attention leaves out scores of keys that come later
    AttentionRates m_attentionRates;
    double m_shownAllReduce; ///< share of an all-reduce that compute doesn't hide
};

} // namespace geotrain
