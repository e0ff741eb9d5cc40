// SPDX-License-Identifier: GPL-2.0-only
// Draws one number over two varied quantities as a table of coloured cells.
#pragma once

#include "figures/figure-place.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A HeatRange is the lowest and the highest value of a map's colours.
struct HeatRange
{
    double low = 0;
    double high = 0;
};

/// A HeatMap is the cells and the labels of one figure.
struct HeatMap
{
    std::string title;                ///< what holds for all cells; may be empty
    std::string xLabel;               ///< label of the x axis, with its unit
    std::string valueLabel;           ///< meaning and unit of the cells' numbers
    std::vector<std::string> columns; ///< names of the columns, from left to right
    std::vector<std::string> rows;    ///< names of the rows, from top to bottom

    /// Values by row and column, >= 0; nullopt where a cell is empty. At least one is set.
    std::vector<std::vector<std::optional<double>>> values;

    /// Half widths of 95 % intervals, by row and column; empty: none are shown.
    std::vector<std::vector<double>> halfWidths = {};
    bool isLinear = false; ///< shades go by the values; false: by their logarithms

    /// Row and column of the cells whose links lose packets at random, of which none was hit. They
    /// have a star, which is explained below the map.
    std::set<std::pair<std::size_t, std::size_t>> missedByLoss = {};

    /// Range of the colours; by default that of the values. Maps that are compared need the same.
    std::optional<HeatRange> range = {};

    std::string yLabel = {}; ///< what the rows are; may be empty
};

/// Returns the range of all values of the maps.
HeatRange RangeOf(const std::vector<HeatMap>& maps);

/// Draws the figure at `place`, with a bar of its colours below, and returns its files. Throws
/// TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawHeatMap(const HeatMap& map, const FigurePlace& place);

} // namespace geotrain
