// SPDX-License-Identifier: GPL-2.0-only
// Draws a grid of panels over one x axis: a row per quantity and a column per run. The panels of a
// row have the same scale.
#pragma once

#include "figures/curve-points.h"
#include "figures/figure-place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A PanelRow is one quantity of all columns.
struct PanelRow
{
    std::string label;                   ///< of its axis, with its unit
    std::vector<CurvePoints> panels;     ///< by column, by x; a panel may be empty
    std::optional<double> limit = {};    ///< a line across the panels, such as a capacity
    std::vector<std::string> notes = {}; ///< texts in the panels, by column; empty: none
};

/// A PanelGrid is the data and the labels of one figure.
struct PanelGrid
{
    std::string xLabel;               ///< with its unit
    double to = 1;                    ///< end of the x axis, which begins at 0
    std::vector<std::string> columns; ///< headings, such as congestion controls, in their colours
    std::vector<PanelRow> rows;       ///< at least one
};

/// Draws the figure at `place` and returns its files. The y axes start at 0. Throws TraceError when
/// gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawPanelGrid(const PanelGrid& grid, const FigurePlace& place);

} // namespace geotrain
