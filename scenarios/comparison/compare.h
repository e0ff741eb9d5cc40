// SPDX-License-Identifier: GPL-2.0-only
// A whole comparison: all variants, with all seeds, side by side in processes; then the table and
// figures.
#pragma once

#include "comparison/comparison-table.h"
#include "comparison/variants.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

struct CompareOptions
{
    VariantPlans plans;
    std::vector<std::int64_t> seeds; ///< empty: the scenario's own
    unsigned jobs = 1;
    std::filesystem::path folder; ///< is there, and empty unless `resume`
    bool resume = false; ///< runs that are complete in `folder`, of the same scenario, are kept
    std::string commandLine;
    std::function<void(const std::vector<double>& shares)> progress; ///< of each run; may be empty
};

/// Runs everything (with `resume` what is not there yet), writes a folder a variant (with several
/// seeds: VARIANT/seed-N), comparison.csv and the figures. Variants that fail don't stop the
/// others. Throws TraceError when results can't be written.
ComparisonTable Compare(const ScenarioText& text, const CompareOptions& options);

/// Draws the comparison again from the traces below `folder`. Throws ConfigError when there are
/// none.
void DrawComparisonAgain(const std::filesystem::path& folder);

} // namespace geotrain
