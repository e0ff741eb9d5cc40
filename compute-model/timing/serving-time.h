// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long a serving engine's prefill takes: PrefillTime() and two constants for what the
// engine adds. The constants were fitted to the medians of Splitwise's Llama-2 70B on A100-80
// (ISCA'24; batch 1; 512, 1,024 and 2,048 tokens; tensor parallelism 2, 4 and 8). On a grid with
// steps of 1 ms and 5 us they have the smallest maximum error, 10.7 %. On other GPUs and models
// they
// are estimates.
#pragma once

#include "hardware/gpu-spec.h"
#include "units/duration.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// Overhead per pass through the whole model: scheduling, input preparation, sampling.
constexpr Duration servingPassOverhead = Duration::Milliseconds(1);

/// Latency per all-reduce, beside the time of its bytes. With tensor parallelism there are two per
/// layer.
constexpr Duration servingAllReduceLatency = Duration::Microseconds(55);

/// Times `layers` layers of a pass of `batch` prompts of `tokens` tokens each, with their share of
/// the constants. Throws std::invalid_argument where PrefillTime() does.
Duration ServingLayersTime(const TransformerSpec& model,
                           const GpuSpec& gpu,
                           std::uint32_t tensorParallel,
                           std::uint32_t layers,
                           bool hasHead,
                           std::uint32_t tokens,
                           std::uint32_t batch);

/// Times a pass through the whole model.
Duration ServingPrefillTime(const TransformerSpec& model,
                            const GpuSpec& gpu,
                            std::uint32_t tensorParallel,
                            std::uint32_t tokens,
                            std::uint32_t batch);

} // namespace geotrain
