// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long a pipeline stage computes on one microbatch from the model's shape and the
// GPU's figures. Matrix multiplications run at an efficiency that grows with their size,
// element-wise operations take their HBM traffic, and tensor parallelism's all-reduces take NVLink.
// Attention is one kernel, or products and softmax whose scores pass through memory. README.md has
// the fit and its errors. It ignores stragglers and overlap of communication with compute inside a
// stage.
#pragma once

#include "hardware/gpu-spec.h"
#include "units/duration.h"
#include "units/flops.h"
#include "workload/stage-execution.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// StageTiming is how long the instructions of one stage take.
struct StageTiming
{
    Duration forward;   ///< time per microbatch
    Duration recompute; ///< forward pass again before the backward pass; 0 without recomputation
    Duration backwardInput;  ///< time for the gradients of the stage's inputs
    Duration backwardWeight; ///< time for the gradients of its weights
    Duration optimizerStep;  ///< time per iteration

    /// Returns both halves together, for schedules that don't split them.
    Duration Backward() const
    {
        return backwardInput + backwardWeight;
    }
};

/// Returns how training on `gpu` computes attention unless it is told otherwise: causal and fused where
/// the GPU fuses it and the precision has at most 16 bits.
Attention AttentionOn(const GpuSpec& gpu, Precision precision = Precision::Bf16);

/// Times a stage. Throws std::invalid_argument ("tensorParallel must divide heads") where the group
/// can't share a layer: tensorParallel must divide the heads and the MLP's width. The model must
/// pass CheckTransformer().
StageTiming TimeStage(const TransformerSpec& model,
                      const StageShare& share,
                      const GpuSpec& gpu,
                      const StageExecution& execution);

/// Times an Adam step on `parameters` parameters of one GPU. It is bound by memory: 30 bytes per
/// parameter move (fp32 gradient read, fp32 weight and two moments read and written, 16-bit weight
/// written), and 28 where training is in fp32 or TF32.
Duration
OptimizerStepTime(double parameters, const GpuSpec& gpu, Precision precision = Precision::Bf16);

/// Returns the rate in FLOP/s.
double AchievedFlopsPerSecond(Flops work, Duration time);

} // namespace geotrain
