// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long a serving engine's prefill takes: the kernels of PrefillTime() and what the
// engine adds (GpuSpec::serving).
#pragma once

#include "hardware/gpu-spec.h"
#include "units/duration.h"
#include "workload/transformer-spec.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Overhead per pass through the whole model: scheduling, input preparation, sampling.
constexpr Duration servingPassOverhead = Duration::Milliseconds(1);

/// Tokens of a pass beyond which its all-reduces are slower than their bytes' time.
constexpr double servingSaturationTokens = 2048;

/// Times `layers` layers of a pass of `batch` prompts of `tokens` tokens each, with their share of
/// the constants. Throws std::invalid_argument where PrefillTime() does.
Duration ServingLayersTime(const TransformerSpec& model,
                           const GpuSpec& gpu,
                           std::uint32_t tensorParallel,
                           std::uint32_t layers,
                           bool hasHead,
                           std::uint32_t tokens,
                           std::uint32_t batch);

/// Returns at which share of a layer's time each of its kernels ends, in their order, up to 1.
/// What the engine adds is spread over the kernels in proportion, so that a kernel is rather too
/// long than too short.
std::vector<double> ServingKernelEnds(const TransformerSpec& model,
                                      const GpuSpec& gpu,
                                      std::uint32_t tensorParallel,
                                      std::uint32_t tokens,
                                      std::uint32_t batch);

/// Times a pass through the whole model.
Duration ServingPrefillTime(const TransformerSpec& model,
                            const GpuSpec& gpu,
                            std::uint32_t tensorParallel,
                            std::uint32_t tokens,
                            std::uint32_t batch);

} // namespace geotrain
