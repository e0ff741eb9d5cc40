// Floating-point operations of the matrix multiplications, over a whole tensor-parallel group: a
// multiply-add is two, attention counts all s x s scores (no causal saving), as Narayanan et al.,
// SC'21, appendix, do. Element-wise operations are not counted; the timing model charges them as
// memory traffic.
#pragma once

#include "units/flops.h"
#include "workload/stage-share.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// One microbatch's work. Forward, and backward apart: gradients of the inputs (attention's two
/// products have two each) and of the weights.
struct PassFlops
{
    Flops forward;
    Flops backwardInput;
    Flops backwardWeight;
};

/// One layer. GPT: forward is 24 b s h^2 + 4 b s^2 h.
PassFlops LayerFlops(const TransformerSpec& model, std::uint32_t microbatchSize);

/// The head: forward is 2 b s h V.
PassFlops HeadFlops(const TransformerSpec& model, std::uint32_t microbatchSize);

/// A stage's layers and its head.
PassFlops
StageFlops(const TransformerSpec& model, const StageShare& share, std::uint32_t microbatchSize);

/// Forward and backward of the whole model for `sequences` sequences, without recomputation: what
/// model FLOP utilisation (MFU) counts.
Flops ModelFlops(const TransformerSpec& model, std::uint32_t sequences);

} // namespace geotrain
