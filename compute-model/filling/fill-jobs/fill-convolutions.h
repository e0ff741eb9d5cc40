// SPDX-License-Identifier: GPL-2.0-only
// Describes EfficientNetV2-L as a fill job (Tan and Le, arXiv 2104.00298, table 4; the L network's
// stages are those of the authors' released code). A convolution is an implicit matrix product that
// moves its operands once. Depthwise convolutions, norms and activations are memory traffic.
// Squeeze-and-excitation's small products are counted in parameters and FLOPs; their time is that
// of scaling the channels.
#pragma once

#include "fill-jobs/fill-block.h"
#include "hardware/gpu-spec.h"

#include <cstdint>

namespace geotrain
{

/// Returns the blocks for `images` images of `side` x `side` pixels.
FillBlocks EfficientNetV2LargeBlocks(const GpuSpec& gpu, std::uint32_t images, std::uint32_t side);

} // namespace geotrain
