// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long a serving engine's prefill takes: the kernels of PrefillTime() and what the
// engine adds. The constants were fitted to the medians of Splitwise's Llama-2 70B on A100-80
// (ISCA'24; 128 to 8,192 tokens of one prompt, 2 to 16 prompts of 512 tokens; tensor parallelism 2,
// 4 and 8). Their largest error is 14 %. On other GPUs and models they are estimates.
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

/// Least time of a layer: the CPU that launches its kernels takes as long.
constexpr Duration servingLayerLaunch = Duration::Microseconds(800);

/// Latency per all-reduce, beside the time of its bytes. With tensor parallelism there are two per
/// layer.
constexpr Duration servingAllReduceLatency = Duration::Microseconds(85);

/// An all-reduce of a pass of n > servingSaturationTokens tokens takes
/// 1 + servingSaturationSlope (n / servingSaturationTokens - 1) times its bytes' time.
constexpr double servingSaturationTokens = 2048;
constexpr double servingSaturationSlope = 1.2;

/// A layer of a pass of b prompts takes servingBatchOverhead (b-1)^servingBatchExponent longer than
/// its kernels.
constexpr Duration servingBatchOverhead = Duration::Microseconds(180);
constexpr double servingBatchExponent = 1.4;

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
