// SPDX-License-Identifier: GPL-2.0-only
// Draws the figures that a scenario declares for its comparison: a metric of the variants by the
// values of two varied fields, as curves or as a map of cells.
#pragma once

#include "figures/comparison.h"
#include "figures/curve-family-figure.h"
#include "figures/figure-place.h"
#include "figures/heat-map-figure.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A FieldValue is a field's path and a value as the scenario writes it; empty: not set.
using FieldValue = std::pair<std::string, std::string>;

/// A DeclaredLine is a level, or a curve through points.
struct DeclaredLine
{
    std::string name;
    std::vector<double> x; ///< empty for a level
    std::vector<double> y;
};

/// A DeclaredFigure is one figure as a scenario declares it.
struct DeclaredFigure
{
    std::string name;
    std::string metric; ///< of summary.csv
    std::string label;  ///< of the metric, with its unit
    double factor = 1;  ///< from the metric to the label's unit
    std::string across; ///< field on the x axis
    std::string acrossLabel;
    double acrossFactor = 1; ///< from a number of `across` to its label's unit
    std::string by;          ///< field of the curves, or of a map's rows
    bool isMap = false;
    bool logX = false;
    std::vector<FieldValue> where; ///< what the variants have in common
    std::vector<DeclaredLine> lines;
    std::string setting; ///< what holds for all points; may be empty
};

/// Returns the places in `comparison` of the variants that have all of `values`.
std::vector<std::size_t> VariantsWith(const Comparison& comparison,
                                      const std::vector<FieldValue>& values);

/// Returns the curves of a figure; none where no variant belongs to it.
CurveFamily CurvesOf(const Comparison& comparison, const DeclaredFigure& figure);

/// Returns the cells of a figure; no rows where no variant belongs to it.
HeatMap CellsOf(const Comparison& comparison, const DeclaredFigure& figure);

/// Draws `figures` into `folder` and returns their files; none of a figure without variants. Throws
/// TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawDeclaredFigures(const Comparison& comparison,
                                                       const std::vector<DeclaredFigure>& figures,
                                                       const FigurePlace& folder);

} // namespace geotrain
