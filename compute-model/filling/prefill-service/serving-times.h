// SPDX-License-Identifier: GPL-2.0-only
// Tells how long the stages of a prefill take, chunk by chunk and layer by layer, and how many bytes
// they move. A long prompt is cut into chunks, each of which reads the cache of those before it
// (Sarathi-Serve, Agrawal et al., arXiv 2403.02310).
#pragma once

#include "prefill-service/serving-chain.h"

#include <array>
#include <map>
#include <vector>

namespace geotrain
{

/// A PromptBatch is prompts that are prefilled together. Attention is counted at their mean length.
struct PromptBatch
{
    std::uint32_t tokens = 0; ///< tokens of all prompts together
    std::uint32_t prompts = 1;

    bool operator==(const PromptBatch& other) const
    {
        return tokens == other.tokens && prompts == other.prompts;
    }
};

/// A PrefillChunk is what of a batch goes through a stage at once.
struct PrefillChunk
{
    PromptBatch prompts;
    std::uint32_t cached = 0; ///< tokens of the same prompt that earlier chunks have done
    bool isLast = true;       ///< the first token comes of it
};

/// UnitWork is a chunk's work on one stage: equal units, its layers, one after another.
struct UnitWork
{
    std::uint32_t units = 0;
    Duration unit; ///< positive

    Duration Sum() const
    {
        return unit * units;
    }
};

/// ServingTimes computes and remembers the times of a model on the chains' GPUs.
class ServingTimes
{
  public:
    /// `chains` outlive the times. Throws std::invalid_argument where a tensor-parallel group can't
    /// share a layer.
    ServingTimes(const ServingRequest& request, const ServingChains& chains);

    const ServingChains& Chains() const;

    /// Returns the longest context of the model in tokens.
    std::uint32_t MaxContext() const;

    /// Returns the number of chunks of a batch. Prompts that are prefilled together are one chunk.
    std::uint32_t ChunksOf(PromptBatch batch) const;

    PrefillChunk ChunkOf(PromptBatch batch, std::uint32_t index) const;

    /// Returns per stage a chunk's layers, each with its share of the pass's constants and of the
    /// head.
    const std::vector<UnitWork>& StagesOf(std::uint32_t gpu, const PrefillChunk& chunk) const;

    /// Returns the compute time of all chunks of a batch on a stage.
    Duration StageTime(std::uint32_t gpu, PromptBatch batch, std::size_t stage) const;

    /// Returns the compute time of all stages, without hops.
    Duration ComputeTime(std::uint32_t gpu, PromptBatch batch) const;

    /// Returns the least compute time over all GPU types.
    Duration FastestComputeTime(PromptBatch batch) const;

    /// Returns the time from `into` a chunk's work on a stage to the end of the kernel that runs
    /// then; 0 where a kernel ends at `into`.
    Duration RestOfKernel(std::uint32_t gpu,
                          const PrefillChunk& chunk,
                          std::size_t stage,
                          Duration into) const;

    /// Returns the longest kernel of a chunk, on any GPU type.
    Duration LongestKernel(const PrefillChunk& chunk) const;

    /// Returns the time until an activation has come from stage i of `chain` to the next.
    Duration Hop(const ServingChain& chain, std::size_t stage, std::uint32_t tokens) const;

    /// Returns the size of what a stage sends to the next.
    Bytes ActivationOf(std::uint32_t tokens) const;

    /// Returns the KV cache on one GPU of a stage.
    Bytes KvOf(std::size_t stage, std::uint32_t tokens) const;

    /// Returns the KV cache of a stage on all GPUs of its worker.
    Bytes KvOfWorker(std::size_t stage, std::uint32_t tokens) const;

    /// Returns the model FLOPs of a layer of a stage, its share of the head included.
    double FlopsOfUnit(std::size_t stage, const PrefillChunk& chunk) const;

    std::size_t StageCount() const;

  private:
    /// TimesOfChunk are the times of a chunk on one GPU type.
    struct TimesOfChunk
    {
        std::vector<UnitWork> stages;
        std::vector<double> kernelEnds; ///< as shares of a layer
    };

    const TimesOfChunk& TimesOf(std::uint32_t gpu, const PrefillChunk& chunk) const;

    const TransformerSpec m_model;
    std::uint32_t m_tensorParallel;
    std::uint32_t m_chunkTokens;
    std::vector<GpuSpec> m_gpus;
    const ServingChains& m_chains;
    mutable std::map<std::array<std::uint32_t, 5>, TimesOfChunk> m_known;
    mutable std::map<std::array<std::uint32_t, 4>, Duration> m_knownStages;
};

} // namespace geotrain
