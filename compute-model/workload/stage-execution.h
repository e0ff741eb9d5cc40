// SPDX-License-Identifier: GPL-2.0-only
// Says how a pipeline stage is run: its microbatches, its tensor-parallel group, how attention is
// computed, and what the backward pass computes again.
#pragma once

#include <cstdint>

namespace geotrain
{

/// Recomputation says what is thrown away after the forward pass and computed again in the backward
/// pass.
enum class Recomputation : std::uint8_t
{
    None,
    /// Attention's scores, with sequence parallelism. Fused attention keeps no scores, so that
    /// sequence parallelism alone is left.
    Selective,
    Full ///< whole layers, of which only the inputs are kept
};

/// Attention says how attention's scores are computed.
enum class Attention : std::uint8_t
{
    /// All of them, in one kernel that keeps them on chip (FlashAttention, Dao et al. 2022).
    Fused,
    Unfused,    ///< by products, softmax and dropout that pass them through memory
    FusedCausal ///< in such a kernel, those alone that are not masked
};

/// Returns whether the scores never pass through memory.
constexpr bool
IsFused(Attention attention)
{
    return attention != Attention::Unfused;
}

/// Software says what of the training program is neither in the model nor in the parallelism.
enum class Software : std::uint8_t
{
    Current,
    /// Megatron-DeepSpeed with DeepSpeed's BF16_Optimizer, as it trained BLOOM in 2022. It widens
    /// each microbatch's gradients to fp32 and adds them in kernels of their own, all-reduces the
    /// whole fp32 gradients, and all-gathers the parameters that a sharded optimiser has updated.
    MegatronDeepspeed
};

/// StageExecution says how a stage is run.
struct StageExecution
{
    std::uint32_t microbatchSize = 1; ///< sequences per microbatch
    std::uint32_t tensorParallel = 1; ///< GPUs of a node that share each layer
    Recomputation recomputation = Recomputation::Full;
    Attention attention = Attention::Fused;
    /// Share of the group's all-reduces that compute hides where there is sequence parallelism.
    double tensorOverlap = 0;
    Software software = Software::Current;
    double softwareEfficiency =
        1; ///< share of the kernels' rates that the program reaches, in (0, 1]
};

/// Returns whether the group splits norms and dropout along the sequence (Korthikanti et al. 2022).
constexpr bool
IsSequenceParallel(const StageExecution& execution)
{
    return execution.recomputation == Recomputation::Selective;
}

} // namespace geotrain
