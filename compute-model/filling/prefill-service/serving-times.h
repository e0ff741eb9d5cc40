// SPDX-License-Identifier: GPL-2.0-only
// Tells a planner of prefills how long the stages of a prefill take, layer by layer, and how many
// bytes they move.
#pragma once

#include "prefill-service/free-time.h"
#include "prefill-service/serving-chain.h"

#include <unordered_map>
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

    /// Returns per stage its layers, each with its share of the pass's constants and of the head.
    const std::vector<UnitWork>& StagesOf(std::uint32_t gpu, PromptBatch batch) const;

    /// Returns the compute time of all stages, without hops.
    Duration ComputeTime(std::uint32_t gpu, PromptBatch batch) const;

    /// Returns the least compute time over all GPU types.
    Duration FastestComputeTime(PromptBatch batch) const;

    /// Returns the time from `intoUnit` into a unit of a stage to the end of the kernel that then
    /// runs.
    Duration
    RestOfKernel(std::uint32_t gpu, PromptBatch batch, std::size_t stage, Duration intoUnit) const;

    /// Returns the time until an activation has come from stage i of `chain` to the next.
    Duration Hop(const ServingChain& chain, std::size_t stage, std::uint32_t tokens) const;

    /// Returns the size of what a stage sends to the next.
    Bytes ActivationOf(std::uint32_t tokens) const;

    /// Returns the KV cache on one GPU of a stage.
    Bytes KvOf(std::size_t stage, std::uint32_t tokens) const;

    /// Returns the KV cache of a stage on all GPUs of its worker.
    Bytes KvOfWorker(std::size_t stage, std::uint32_t tokens) const;

    /// Returns the shortest unit that there is: for a prompt of 1 token, on any GPU.
    Duration ShortestUnit() const;

    /// Returns the model FLOPs of a layer of a stage, its share of the head included.
    double FlopsOfUnit(std::size_t stage, PromptBatch batch) const;

    std::size_t StageCount() const;

  private:
    const TransformerSpec m_model;
    std::uint32_t m_tensorParallel;
    std::vector<GpuSpec> m_gpus;
    const ServingChains& m_chains;
    mutable std::unordered_map<std::uint64_t, std::vector<UnitWork>> m_known; ///< never iterated
};

} // namespace geotrain
