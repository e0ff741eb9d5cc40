// SPDX-License-Identifier: GPL-2.0-only
// Says what part of a model a pipeline stage holds: some layers, the embedding on the first stage,
// the head on the last.
#pragma once

#include "units/bytes.h"
#include "workload/transformer-spec.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// A StageShare is the part of a model that one stage holds.
struct StageShare
{
    std::uint32_t layers = 0;
    bool hasEmbedding = false;
    bool hasHead = false;
    std::uint32_t firstLayer =
        0; ///< the model's, in front of which others hold `firstLayer` layers
};

/// Returns the layers of the share by kind.
std::vector<LikeLayers> LikeLayersOf(const TransformerSpec& model, const StageShare& share);

/// Splits the model's layers over `stages` stages as evenly as possible. The stages in front take
/// one more, since the last has the head. Throws std::invalid_argument for no stage or more stages
/// than layers.
std::vector<StageShare> SplitEvenly(const TransformerSpec& model, std::uint32_t stages);

/// Splits the model as `layersPerStage` says. Throws std::invalid_argument where it is empty, holds
/// a zero or doesn't add up to the model's layers.
std::vector<StageShare> SplitAsGiven(const TransformerSpec& model,
                                     const std::vector<std::uint32_t>& layersPerStage);

/// Counts the parameters on the stage over its whole tensor-parallel group. With tied embeddings on
/// two stages each holds the matrix, as in Megatron-LM. So the stages can add up to more than
/// ParameterCount().
std::int64_t StageParameters(const TransformerSpec& model, const StageShare& share);

/// Returns what the replicas of the stage all-reduce: gradientBytesPerParameter x parameters.
Bytes StageGradientBytes(const TransformerSpec& model, const StageShare& share);

/// Returns the gradient of the tied matrix, which the first and the last stage add up between them
/// before the optimiser step. It is 0 for untied embeddings, for stages between, and where one
/// stage has both.
Bytes TiedEmbeddingGradientBytes(const TransformerSpec& model, const StageShare& share);

/// Returns the size of an activation, or of its gradient, of one microbatch between two stages: s x
/// b x h x 2 bytes (4 in fp32 and TF32), one copy per tensor-parallel group. Throws std::invalid_argument for no
/// sequence or for more than TransformerLimits allows.
Bytes BoundaryActivationBytes(const TransformerSpec& model, std::uint32_t microbatchSize);

} // namespace geotrain
