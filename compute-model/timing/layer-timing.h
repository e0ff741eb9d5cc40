// How long the parts of a transformer take on one GPU of a tensor-parallel group: a layer, the
// embedding, the head. Kernels and their memory traffic are Megatron-LM's (Shoeybi et al. 2019;
// Korthikanti et al. 2022 for sequence parallelism): attention's scores in memory, dropout, two
// all-reduces a pass and layer.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/kernel-timing.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// Seconds of one microbatch.
struct PassSeconds
{
    double forward = 0;
    double backwardInput = 0;
    double backwardWeight = 0;
};

class LayerTiming
{
  public:
    /// `sequences` of `tokens` tokens each. Throws std::invalid_argument where the group can't
    /// share a layer.
    LayerTiming(const TransformerSpec& model,
                const GpuSpec& gpu,
                std::uint32_t sequences,
                std::uint32_t tokens,
                std::uint32_t tensorParallel,
                bool sequenceParallel);

    PassSeconds Layer() const;

    /// Attention's scores, softmax, dropout and product with the values, forward: what selective
    /// recomputation runs again.
    double AttentionCoreForward() const;

    PassSeconds Embedding() const;
    PassSeconds Head() const;

    /// A layer's forward pass at inference: no dropout, and attention in one kernel that keeps the
    /// scores on chip (FlashAttention, Dao et al. 2022).
    double InferenceForward() const;

    /// The head's product for the last token of each sequence.
    double InferenceHead() const;

  private:
    double LinearForward() const;
    double LayoutTraffic() const;
    double MlpWidthIn() const;
    double AllReduceOfActivation() const;

    KernelTiming m_kernels;
    std::uint32_t m_group;
    double m_tokens; ///< of all sequences
    double m_hidden;
    double m_ownHidden;  ///< that one GPU normalises: h, or h/t with sequence parallelism
    double m_queryWidth; ///< of one GPU's heads
    double m_kvWidth;    ///< of one GPU's key-value heads; fewer heads than GPUs are held twice
    double m_ffnWidth;   ///< of one GPU
    double m_vocabulary; ///< of one GPU, rounded up
    bool m_gated;
    double m_headsTimesSequences; ///< of one GPU: products in a batch
    double m_sequence;
    double m_headWidth;
};

} // namespace geotrain
