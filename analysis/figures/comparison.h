// SPDX-License-Identifier: GPL-2.0-only
// A comparison as its figures see it: variants with their metrics, and what each sets the varied
// paths to.
#pragma once

#include "metrics/summary.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// What a variant sets a varied path to.
struct VariedValue
{
    std::string text;              ///< as the scenario has it; empty: the variant leaves it alone
    std::optional<double> seconds; ///< where it is a time
};

/// A variant that did not fail.
struct VariantSummary
{
    std::string variant;                  ///< its name, of any length: long ones are wrapped
    Summary summary;                      ///< means over its seeds
    std::vector<VariedValue> values = {}; ///< by varied path
    std::filesystem::path trace = {};     ///< of its first run
};

struct Comparison
{
    std::vector<std::string> variedPaths; ///< fields of the scenario, like wan_link[*].delay
    std::vector<VariantSummary> variants;
};

} // namespace geotrain
