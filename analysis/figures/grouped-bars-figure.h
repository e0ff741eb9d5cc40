// SPDX-License-Identifier: GPL-2.0-only
// Draws one number of many runs as grouped bars: a group per value of what is varied, a colour per
// series.
#pragma once

#include "figures/figure-place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A BarSeries is the bars of one colour.
struct BarSeries
{
    std::string name;
    std::vector<std::optional<double>> values; ///< by group, >= 0; nullopt where there is no bar
};

/// GroupedBars is the data and the labels of one figure.
struct GroupedBars
{
    std::string groupLabel;          ///< label of the group axis, with its unit
    std::string valueLabel;          ///< label of the value axis, with its unit
    std::vector<std::string> groups; ///< names of the groups, from left to right
    std::vector<BarSeries> series;   ///< at least one, with a value that is > 0
};

/// Draws the figure at `place` and returns its files. Throws TraceError when gnuplot is
/// missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawGroupedBars(const GroupedBars& bars,
                                                   const FigurePlace& place);

} // namespace geotrain
