// SPDX-License-Identifier: GPL-2.0-only
// The shapes of torchtitan's models, by their names and flavours.
#pragma once

#include "workload/transformer-spec.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the model of `name` ("llama3") in its `flavour` ("8B"). It has a name of the catalogue
/// where that has the model.
std::optional<TransformerSpec> FindFlavour(const std::string& name, const std::string& flavour);

/// Returns all names and flavours, such as "llama3 8B".
std::vector<std::string> NamesOfFlavours();

} // namespace geotrain
