// SPDX-License-Identifier: GPL-2.0-only
// Prints the results of a verb that gives one value per quantity.
#pragma once

#include "cli/verb.h"

#include <nlohmann/json.hpp>

namespace geotrain
{

/// Prints `quantities`, an object of numbers and texts: as JSON with --json, else as a table with a
/// row per quantity, and nothing with --quiet.
void PrintQuantities(const nlohmann::ordered_json& quantities, const OutputOptions& options);

} // namespace geotrain
