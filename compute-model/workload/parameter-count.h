// SPDX-License-Identifier: GPL-2.0-only
// Counts the parameters of a transformer.
#pragma once

#include "workload/transformer-spec.h"

#include <cstdint>

namespace geotrain
{

/// Counts one transformer layer of a shape whose layers are alike: attention, MLP or experts, norms.
std::int64_t LayerParameters(const TransformerSpec& shape);

/// Counts the routed experts that a token does not meet in such a layer.
std::int64_t IdleExpertParameters(const TransformerSpec& shape);

/// Counts the token embedding and, where there are any, the position embedding and the norm.
std::int64_t EmbeddingParameters(const TransformerSpec& model);

/// Counts the matrix vocabulary x hidden that tied embeddings share and every head has.
std::int64_t VocabularyParameters(const TransformerSpec& model);

/// Counts the norm before the head.
std::int64_t FinalNormParameters(const TransformerSpec& model);

/// Counts what a head has beside its matrix: the norm before it and a bias.
std::int64_t HeadVectorParameters(const TransformerSpec& model);

/// Counts all layers, embeddings, the final norm, and the head where it isn't tied. This is what is
/// published as a model's size.
std::int64_t ParameterCount(const TransformerSpec& model);

/// Counts the parameters that a token meets: all but the experts that it isn't sent to and the
/// embeddings of token and position, which are looked up. A matrix that is embedding and head is
/// met, as the head.
std::int64_t ActiveParameterCount(const TransformerSpec& model);

} // namespace geotrain
