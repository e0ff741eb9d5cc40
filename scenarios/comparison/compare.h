// SPDX-License-Identifier: GPL-2.0-only
// Runs a whole comparison: all variants with all seeds, side by side in processes. Then it writes
// the table and the figures.
#pragma once

#include "comparison/planned-runs.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// DrawnFigures say of what a comparison draws figures.
enum class DrawnFigures
{
    None,
    Comparison, ///< of the comparison, and not of its runs
    All
};

/// CompareOptions say what to run, how, and where to write. Compare() sets `drawsFigures` by
/// `figures`.
struct CompareOptions : RunPool
{
    /// Unset: of the comparison alone where a variant has several seeds or more than ten runs are
    /// made, and otherwise of all.
    std::optional<DrawnFigures> figures;
    VariantPlans plans;
    std::vector<std::int64_t> seeds;  ///< of variants that have none of their own
    std::filesystem::path folder;     ///< must exist, and be empty unless `resume` is set
    FigureChoices* choices = nullptr; ///< of the comparison's figures; null: none
};

/// Runs the comparison; with `resume` only the runs that are not complete yet. Writes the
/// scenario as it was given, a folder per variant (with several seeds VARIANT/seed-N),
/// comparison.csv, the figures that are asked for (those that the scenario declares, if its variants
/// vary their fields) and report.html. A variant that fails doesn't stop the others. Where
/// WasInterrupted(), the table and comparison.csv have the variants that are complete, and there
/// are no figures and no report. Throws ConfigError for a wrong declaration of a figure or criterion,
/// and TraceError when results can't be written.
ComparisonTable Compare(const ScenarioText& text, const CompareOptions& options);

/// Draws the figures of a comparison again from the traces below `folder`, as `choices` asks, and
/// writes its report. Returns the figures' files. `only` holds names or titles of variants, which
/// may be joined by commas; if empty, all are drawn. Throws ConfigError when there are no traces, and
/// TraceError for an unknown variant.
std::vector<std::filesystem::path> DrawComparisonAgain(const std::filesystem::path& folder,
                                                       const std::vector<std::string>& only,
                                                       FigureChoices& choices);

} // namespace geotrain
