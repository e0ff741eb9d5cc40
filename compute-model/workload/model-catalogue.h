// SPDX-License-Identifier: GPL-2.0-only
// Lists the models that geotrain knows by name, with published shapes.
#pragma once

#include "workload/transformer-spec.h"

#include <optional>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns all models: those of papers, gpt-a and gpt-b (Atlas), and released ones of today
/// (released-models.h).
const std::vector<TransformerSpec>& ModelCatalogue();

/// Finds a model by its exact name; upper and lower case count.
std::optional<TransformerSpec> FindModel(std::string_view name);

} // namespace geotrain
