// SPDX-License-Identifier: GPL-2.0-only
// Describes encoders as fill jobs by the compute model's layers: BERT and XLM-RoBERTa over tokens,
// Swin over windows of image patches. Their attention has no mask, which changes neither FLOPs nor
// traffic here.
#pragma once

#include "fill-jobs/fill-block.h"
#include "hardware/gpu-spec.h"
#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// Returns an encoder with tied embeddings for `sequences` sequences of model.sequence tokens.
/// Training has the head over all tokens (masked language modelling). Inference has none; it gives
/// the last layer's features.
FillBlocks EncoderBlocks(const TransformerSpec& model, const GpuSpec& gpu, std::uint32_t sequences);

/// Returns Swin-L (Liu et al., arXiv 2103.14030, section 3.3) for `images` images of 224 x 224 in
/// windows of 7 x 7 patches.
FillBlocks SwinLargeBlocks(const GpuSpec& gpu, std::uint32_t images);

} // namespace geotrain
