// SPDX-License-Identifier: GPL-2.0-only
// Describes what is trained: the model, its batch, and what the training program does under every
// plan.
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

/// Returns how long a stage computes; may throw where it can't tell.
using StageTimer = std::function<StageTiming(
    const StageShare& share, const GpuSpec& gpu, const StageExecution& execution)>;

/// A TrainingJob is a model and how it is trained. An iteration takes `globalBatch` sequences,
/// however they are spread.
struct TrainingJob
{
    TransformerSpec model;
    Recomputation recomputation = Recomputation::Full;
    Attention attention = Attention::Fused;
    bool sendsCopyPerGpu = false; ///< every GPU of a group sends the whole of an activation
    double tensorOverlap = 0;     ///< StageExecution::tensorOverlap
    Software software = Software::Current;
    double softwareEfficiency = 1; ///< StageExecution::softwareEfficiency
    std::uint64_t globalBatch = 1;
    bool shardsOptimizer = false; ///< ZeRO-1: each replica keeps its part of the optimiser's state
    StageTimer timeStage;         ///< unset: TimeStage(), the analytic model

    /// Number of equal parts in which a stage's gradients are all-reduced.
    std::uint32_t allReduceBuckets = 1;
    Bytes gradientBucket; ///< most bytes of a GPU per such part instead; 0: unset
    /// Time of a Forward and Backward that run as one block; unset: their sum.
    std::optional<Duration> overlappedBlock;
    Duration iterationOverhead; ///< before the first forward of an iteration no GPU works
};

} // namespace geotrain
