// SPDX-License-Identifier: GPL-2.0-only
// Counts the floating-point operations of the matrix multiplications over a whole tensor-parallel
// group. A multiply-add counts as two, and attention counts all s x s scores (no causal saving), as
// in the appendix of Narayanan et al., SC'21. Element-wise operations are not counted; the timing
// model charges them as memory traffic.
#pragma once

#include "units/flops.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// PassFlops is the work of one microbatch. The backward pass is split into the gradients of the
/// inputs (attention's two products have two each) and of the weights.
struct PassFlops
{
    Flops forward;
    Flops backwardInput;
    Flops backwardWeight;
};

/// Counts one layer of a shape whose layers are alike (LikeLayers). A GPT's forward pass takes
/// 24 b s h^2 + 4 b s^2 h. Of the experts those count that a token is sent to.
PassFlops LayerFlops(const TransformerSpec& shape, std::uint32_t microbatchSize);

/// Counts the head, whose forward pass takes 2 b s h V.
PassFlops HeadFlops(const TransformerSpec& model, std::uint32_t microbatchSize);

/// Counts a stage: its layers and, where it has one, its head.
PassFlops
StageFlops(const TransformerSpec& model, const StageShare& share, std::uint32_t microbatchSize);

/// Counts forward and backward of the whole model for `sequences` sequences, without recomputation.
/// This is what model FLOP utilisation (MFU) counts.
Flops ModelFlops(const TransformerSpec& model, std::uint32_t sequences);

} // namespace geotrain
