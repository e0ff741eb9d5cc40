// SPDX-License-Identifier: GPL-2.0-only
// Estimates how long inference's prefill takes: one forward pass of the whole model over the
// prompts, with attention in one fused kernel, no dropout, and the head for the last token of each
// prompt. It uses the constants fitted to training. A serving engine's own overheads are not in it.
#pragma once

#include "hardware/gpu-spec.h"
#include "units/duration.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// Times `batch` prompts of `tokens` tokens each on `tensorParallel` GPUs of one node. Throws
/// std::invalid_argument where TimeStage() does, and for no token or no prompt.
Duration PrefillTime(const TransformerSpec& model,
                     const GpuSpec& gpu,
                     std::uint32_t tensorParallel,
                     std::uint32_t tokens,
                     std::uint32_t batch);

} // namespace geotrain
