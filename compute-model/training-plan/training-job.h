// SPDX-License-Identifier: GPL-2.0-only
// What is trained: the model, its batch, and what the training program does whatever plan it
// follows.
#pragma once

#include "hardware/gpu-spec.h"
#include "timing/stage-timing.h"
#include "workload/memory-model.h"
#include "workload/transformer-spec.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace geotrain
{

/// How long the stage whose first layer is `firstLayer` computes; may throw where it can't tell.
using StageTimer = std::function<StageTiming(const StageShare& share,
                                             std::uint32_t firstLayer,
                                             const GpuSpec& gpu,
                                             const StageExecution& execution)>;

/// An iteration takes `globalBatch` sequences, however they are spread.
struct TrainingJob
{
    TransformerSpec model;
    Recomputation recomputation = Recomputation::Full;
    std::uint64_t globalBatch = 1;
    bool shardsOptimizer = false; ///< ZeRO-1: each replica keeps its part of the optimiser's state
    StageTimer timeStage;         ///< unset: TimeStage(), the analytic model

    std::uint32_t allReduceBuckets = 1; ///< equal parts that a stage's gradients are all-reduced in
    std::optional<Duration>
        overlappedBlock; ///< of a Forward and Backward run as one; unset: their sum
};

} // namespace geotrain
