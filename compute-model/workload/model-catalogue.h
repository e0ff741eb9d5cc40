// SPDX-License-Identifier: GPL-2.0-only
// Lists the models that geotrain knows by name, with published shapes.
#pragma once

#include "workload/transformer-spec.h"

#include <optional>
#include <string_view>
#include <vector>

namespace geotrain
{

/// Returns all models: gpt3-175b, llama2-70b, llama3-8b, llama3-70b, llama3-405b, gpt-a and gpt-b
/// (Atlas).
const std::vector<TransformerSpec>& ModelCatalogue();

/// Finds a model by its exact name; upper and lower case count.
std::optional<TransformerSpec> FindModel(std::string_view name);

} // namespace geotrain
