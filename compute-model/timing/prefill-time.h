// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long inference's prefill takes: one forward pass of the whole model over the
// prompts, with attention in one fused kernel, no dropout, and the head for the last token of each
// prompt. It uses the constants of training. What a serving engine adds (GpuSpec::serving) is
// in the times of serving alone.
#pragma once

#include "hardware/gpu-spec.h"
#include "units/duration.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Tokens of a pass beyond which its all-reduces are slower than their bytes' time.
constexpr double servingSaturationTokens = 2048;

/// A PrefillPass is a pass of `batch` prompts of `tokens` tokens each through a model on
/// `tensorParallel` GPUs of one node. Each function throws std::invalid_argument where TimeStage()
/// does, and for no token or no prompt.
struct PrefillPass
{
    const TransformerSpec& model;
    const GpuSpec& gpu;
    std::uint32_t tensorParallel = 1;
    std::uint32_t tokens = 1;
    std::uint32_t batch = 1;
    /// Tokens of each prompt that are in the cache already: the pass is a chunk that attends to
    /// them, too, and reads their keys and values.
    std::uint32_t cached = 0;
};

/// Times a pass by its kernels alone, which are the engine's.
Duration PrefillTime(const PrefillPass& pass);

/// Times a stage of a serving engine's pass, with its share of what the engine adds.
Duration ServingLayersTime(const PrefillPass& pass, const StageShare& share);

/// Times a serving engine's pass through the whole model.
Duration ServingPrefillTime(const PrefillPass& pass);

/// Returns at which share of a layer's time each of its kernels ends, in their order, up to 1.
/// What the engine adds is spread over the kernels in proportion, so that a kernel is rather too
/// long than too short.
std::vector<double> ServingKernelEnds(const PrefillPass& pass);

} // namespace geotrain
