// SPDX-License-Identifier: GPL-2.0-only
// Lists the weight matrices of a transformer layer as one GPU of a tensor-parallel group has them.
// Parameters, FLOPs and times follow from the same list.
#pragma once

#include "workload/transformer-spec.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// A WeightMatrix takes a multiply-add per element and token.
struct WeightMatrix
{
    double in = 0;  ///< width of its input
    double out = 0; ///< width of its result
};

/// Returns the matrices of attention: queries, keys and values as one, and at the end the output; with
/// latent attention those into the narrow vectors, which every GPU has whole, and out of them. Where there
/// are fewer key-value heads than GPUs, GPUs hold copies.
std::vector<WeightMatrix> AttentionMatrices(const TransformerSpec& shape, std::uint32_t group = 1);

/// Returns the matrices of an MLP of inner width `width`: gate and up as one, and down.
std::vector<WeightMatrix>
MlpMatrices(const TransformerSpec& shape, std::uint32_t width, std::uint32_t group = 1);

/// Returns the elements of all.
double Elements(const std::vector<WeightMatrix>& matrices);

} // namespace geotrain
