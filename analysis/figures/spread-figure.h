// SPDX-License-Identifier: GPL-2.0-only
// Draws distributions side by side: a group per condition, in it a box per series from the lower to
// the upper quartile with the median, and whiskers from the 5th to the 95th percentile. Panels
// below each other show several quantities of the same groups.
#pragma once

#include "figures/figure-place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// FivePercentiles are the box and the whiskers of a distribution.
struct FivePercentiles
{
    double p5 = 0;
    double p25 = 0;
    double p50 = 0;
    double p75 = 0;
    double p95 = 0;
};

/// Returns the percentiles of `values` by the nearest rank; none of no values.
std::optional<FivePercentiles> SpreadOfValues(const std::vector<double>& values);

/// A SpreadPanel is one quantity.
struct SpreadPanel
{
    std::string label;                                               ///< with its unit
    std::vector<std::vector<std::optional<FivePercentiles>>> groups; ///< by group, then by series
    bool isLog = false; ///< logarithmic y axis, on which 0 is at the lower end
};

/// A SpreadFigure is the data and the labels of one figure.
struct SpreadFigure
{
    std::string groupsAre; ///< what a group's name names: heads its column in the data
    std::string seriesAre;
    std::vector<std::string> groups; ///< at least one
    std::vector<std::string> series; ///< at least one; names differ
    std::vector<SpreadPanel> panels; ///< at least one
};

/// Draws the figure at `place` and returns its files. Other y axes than logarithmic ones start at
/// 0. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawSpreads(const SpreadFigure& figure,
                                               const FigurePlace& place);

} // namespace geotrain
