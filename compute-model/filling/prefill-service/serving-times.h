// How long the stages of a prefill take, layer by layer, and what they move: what a planner of prefills asks.
#pragma once

#include "prefill-service/free-time.h"
#include "prefill-service/serving-chain.h"

#include <unordered_map>
#include <vector>

namespace geotrain
{

/// Prompts that are prefilled together. Attention is counted at their mean length.
struct PromptBatch
{
    std::uint32_t tokens = 0; ///< of all prompts
    std::uint32_t prompts = 1;

    bool operator==(const PromptBatch& other) const
    {
        return tokens == other.tokens && prompts == other.prompts;
    }
};

class ServingTimes
{
  public:
    /// Throws std::invalid_argument where a tensor-parallel group can't share a layer.
    ServingTimes(const ServingRequest& request, const ServingChains& chains);

    /// By stage: its layers, each with its share of the pass's constants and of the head.
    const std::vector<UnitWork>& StagesOf(std::uint32_t gpu, PromptBatch batch) const;

    /// Of all stages, without hops.
    Duration ComputeTime(std::uint32_t gpu, PromptBatch batch) const;

    /// The least of all GPU types'.
    Duration FastestComputeTime(PromptBatch batch) const;

    /// Until an activation has come from stage i of `chain` to the next.
    Duration Hop(const ServingChain& chain, std::size_t stage, std::uint32_t tokens) const;

    /// Of that: how long `rate` takes for it.
    Duration PassingTime(BitRate rate, std::uint32_t tokens) const;

    /// On one GPU of a stage.
    Bytes KvOf(std::size_t stage, std::uint32_t tokens) const;

    /// Of a stage, on all GPUs of its worker.
    Bytes KvOfWorker(std::size_t stage, std::uint32_t tokens) const;

    /// The shortest unit that there is: of a prompt of 1 token, on any GPU.
    Duration ShortestUnit() const;

    /// Model FLOPs of a layer of a stage, its share of the head included.
    double FlopsOfUnit(std::size_t stage, PromptBatch batch) const;

    std::size_t StageCount() const;

    /// GPU types.
    std::uint32_t GpuCount() const;

    /// Of one prefill, that the chains have memory for.
    std::uint32_t MostTokens() const;

  private:
    const TransformerSpec m_model;
    std::uint32_t m_tensorParallel;
    std::uint32_t m_mostTokens;
    std::vector<GpuSpec> m_gpus;
    std::vector<StageShare> m_shares;
    mutable std::unordered_map<std::uint64_t, std::vector<UnitWork>> m_known; ///< never iterated
};

} // namespace geotrain
