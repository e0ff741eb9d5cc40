// SPDX-License-Identifier: GPL-2.0-only
// Computes the GPU memory of a pipeline stage: parameters with their mixed-precision Adam state,
// and the activations that wait for their backward pass (Korthikanti et al. 2022, arXiv 2205.05198,
// section 4 and table 2). It ignores fragmentation, communication buffers and the CUDA context.
#pragma once

#include "units/bytes.h"
#include "workload/stage-execution.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// Returns the optimiser's own part of the state, which ZeRO-1 shards over the replicas (Rajbhandari
/// et al. 2020, P_os): 12 bytes per parameter (fp32 weight, two moments), and 8 where the weights
/// themselves are fp32.
constexpr std::int64_t
OptimizerStateBytesPerParameter(Precision precision)
{
    return ActivationBytes(precision) == 4 ? 8 : 12;
}

/// Returns the bytes of a parameter, its fp32 gradient (4) and its optimiser state: 2 + 4 + 12, or
/// 4 + 4 + 8 in fp32 and TF32.
constexpr std::int64_t
StateBytesPerParameter(Precision precision)
{
    return ActivationBytes(precision) + 4 + OptimizerStateBytesPerParameter(precision);
}

/// Returns what one layer keeps of one microbatch on one GPU of a group of t = `tensorParallel`, for
/// activations of e bytes and dropout masks of 1:
///   None       sbh (4e + 2 + 12e/t + (2e + 1) as/(ht)); without the last term where attention is
///              fused. With e = 2, Korthikanti et al.'s sbh (10 + 24/t + 5as/(ht))
///   Selective  sbh (16e + 2)/t
///   Full       e sbh (the layer's input, whole on every GPU)
/// The statistics of a row of scores that fused attention keeps, 4 bytes, are left out. The
/// coefficients are a GPT's: 4e of the 12e/t are attention's and 8e the MLP's. Models of other MLP
/// widths are counted alike, which is an estimate. Experts keep what the chosen ones do, k (2h + 3w)e
/// per token where they are gated and w wide, and latent attention its own widths. Throws
/// std::invalid_argument if the result can't be counted.
Bytes LayerActivationBytes(const TransformerSpec& shape, const StageExecution& execution);

/// StageMemory is the memory that a stage takes on one GPU.
struct StageMemory
{
    Bytes state; ///< StateBytesPerParameter() per parameter / t
    /// Activations of the layers and the embedding, for all microbatches in flight.
    Bytes activations;
    /// Working memory for one microbatch at a time: head and loss, and one recomputed layer.
    Bytes working;

    Bytes Total() const
    {
        return state + activations + working;
    }
};

/// Computes a stage's memory. `microbatchesInFlight` is the most that the schedule keeps on this
/// stage (1F1B: p on the first stage). The embedding keeps its dropout mask, sbh. The head keeps
/// its inputs and fp32 logits, 2e sbh + 4sbV/t, once. Full recomputation needs one layer's
/// activations of None on top. `optimizerShards` is the number of replicas that share the optimiser
/// state. Throws std::invalid_argument for an empty microbatch or group, and where the bytes can't
/// be counted.
StageMemory MemoryOfStage(const TransformerSpec& model,
                          const StageShare& share,
                          const StageExecution& execution,
                          std::uint32_t microbatchesInFlight,
                          std::uint32_t optimizerShards = 1);

} // namespace geotrain
