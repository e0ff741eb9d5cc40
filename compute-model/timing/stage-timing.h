// How long a pipeline stage computes on one microbatch, from the model's shape and the GPU's
// figures: matrix multiplications at an efficiency that grows with their size, element-wise
// operations by their HBM traffic, tensor parallelism's all-reduces over NVLink. See README.md for
// the fit and its errors. It ignores kernel launches, stragglers and overlap of communication with
// compute inside a stage.
#pragma once

#include "hardware/gpu-spec.h"
#include "units/duration.h"
#include "units/flops.h"
#include "workload/memory-model.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

struct StageTiming
{
    Duration forward;        ///< of one microbatch
    Duration recompute;      ///< forward again, before the backward pass; 0 without recomputation
    Duration backwardInput;  ///< gradients of the stage's inputs
    Duration backwardWeight; ///< gradients of its weights
    Duration optimizerStep;  ///< once an iteration

    /// Both halves, for schedules that don't split them.
    Duration Backward() const
    {
        return backwardInput + backwardWeight;
    }
};

struct StageExecution
{
    std::uint32_t microbatchSize = 1; ///< sequences
    std::uint32_t tensorParallel = 1; ///< GPUs of a node that share each layer
    Recomputation recomputation = Recomputation::Full;
};

/// Throws std::invalid_argument ("tensorParallel must divide heads") where the group can't share a
/// layer: tensorParallel must divide the heads and the MLP's width. The model must pass
/// CheckTransformer().
StageTiming TimeStage(const TransformerSpec& model,
                      const StageShare& share,
                      const GpuSpec& gpu,
                      const StageExecution& execution);

/// Adam on `parameters` parameters of one GPU, bound by memory: 30 bytes a parameter move (fp32
/// gradient read, fp32 weight and two moments read and written, 16-bit weight written).
Duration OptimizerStepTime(double parameters, const GpuSpec& gpu);

/// FLOP/s.
double AchievedFlopsPerSecond(Flops work, Duration time);

} // namespace geotrain
