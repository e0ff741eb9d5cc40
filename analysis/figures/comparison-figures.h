// SPDX-License-Identifier: GPL-2.0-only
// Decides which figures a comparison gets, by what its variants run and in what they differ, and
// draws them.
#pragma once

#include "figures/comparison.h"
#include "figures/curve-family-figure.h"
#include "figures/declared-figures.h"
#include "figures/figure-place.h"
#include "figures/stacked-timelines-figure.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// ComparisonFigures lists the figures that depend on what the variants run and in what they
/// differ. Figures of metrics decide themselves whether there is anything to draw.
struct ComparisonFigures
{
    /// True where every variant trains, which adds the figures of iteration time, serving and
    /// filling; false where any variant is a run of bulk messages.
    bool ofTraining = false;

    /// True where every variant is a run of bulk messages.
    bool ofTransfers = false;

    /// Runs of bulk messages that differ in the congestion control alone, which is their title: their
    /// completion times, congestion windows and round trips are drawn.
    std::vector<VariantSummary> alike;

    /// Curves over the numbers in which variants differ, by the name of the figure.
    std::vector<std::pair<std::string, CurveFamily>> sweeps;

    /// A map of a metric over the two fields in which the variants differ, where most pairs of their
    /// values have a variant.
    std::optional<DeclaredFigure> matrix;

    /// Runs at the longest round trip whose timelines are drawn; if empty, there is no such figure.
    std::vector<NamedTrace> timelines;
    std::string timelinesSetting; ///< what the runs of `timelines` have in common
};

/// Decides which figures `comparison` gets.
ComparisonFigures DecideFigures(const Comparison& comparison);

/// Returns those of `variants` that `wanted` names, by name or title, in the order of `variants`. A
/// wanted text is a name or title, or several joined by commas. Throws TraceError for an unknown
/// one.
std::vector<VariantSummary> ChooseVariants(const std::vector<VariantSummary>& variants,
                                           const std::vector<std::string>& wanted);

/// Draws into `folder` what DecideFigures() asks for, and the figures of serving and filling for
/// which the variants have metrics. Returns the files; there are none without variants. Throws
/// TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawComparisonFigures(const Comparison& comparison,
                                                         const FigurePlace& folder);

} // namespace geotrain
