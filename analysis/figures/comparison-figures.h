// SPDX-License-Identifier: GPL-2.0-only
// Which figures a comparison gets, by what its variants are and differ in; and these figures.
#pragma once

#include "figures/comparison.h"
#include "figures/grouped-bars-figure.h"
#include "figures/stacked-timelines-figure.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// The figures of a comparison that its variants' kind and differences decide. Figures of metrics
/// decide themselves whether there is anything to draw.
struct ComparisonFigures
{
    bool ofTraining =
        false; ///< comparison, and what serving and filling give; else transfers alone

    std::vector<NamedTrace> congestion; ///< windows and round trips of these; empty: no such figure
    std::optional<GroupedBars> roundTrips; ///< iteration times
    std::vector<NamedTrace> timelines;     ///< at the longest round trip; empty: no such figure
    std::string timelinesSetting;          ///< what these have in common
};

ComparisonFigures DecideFigures(const Comparison& comparison);

/// Draws into `folder` what is decided, and what serving, filling and congestion controls give;
/// returns the files. Nothing without variants. Throws TraceError when gnuplot is missing or fails,
/// or when a file can't be written.
std::vector<std::filesystem::path> DrawComparisonFigures(const Comparison& comparison,
                                                         const std::filesystem::path& folder);

} // namespace geotrain
