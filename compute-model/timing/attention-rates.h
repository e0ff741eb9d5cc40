// SPDX-License-Identifier: GPL-2.0-only
// Says at which share of a GPU's peak fused attention works, by its heads and sequences.
#pragma once

#include "hardware/gpu-spec.h"
#include "workload/stage-execution.h"

namespace geotrain
{

/// AttentionRates are shares of the peak.
struct AttentionRates
{
    double forward = 0;
    double backward = 0;
};

/// Returns the rates of fused attention with heads of `headWidth` elements over sequences of
/// `sequence` tokens. Of all scores they are the GPU's constant. Of those that are not masked they
/// follow the heads, linearly between heads of 64, 128 and 256 (kernels pad narrower ones to 64), and
/// grow with the sequence, since tiles on the diagonal are half idle.
AttentionRates FusedAttentionRates(const GpuEfficiency& efficiency,
                                   Attention attention,
                                   double headWidth,
                                   double sequence);

} // namespace geotrain
