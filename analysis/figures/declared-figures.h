// SPDX-License-Identifier: GPL-2.0-only
// Draws the figures that a scenario declares for its comparison: a metric of the variants by the
// values of two varied fields, as curves or as a map of cells, or something of each variant: bars,
// timelines, distributions, or samples over time.
#pragma once

#include "figures/comparison.h"
#include "figures/curve-family-figure.h"
#include "figures/figure-place.h"
#include "figures/heat-map-figure.h"
#include "figures/sample-panels.h"

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

/// FigureContent is what a figure shows of its variants.
enum class FigureContent
{
    Metric,
    Bars,
    Timelines,
    CompletionTimes,
    Ttft
};

/// A DeclaredFigure is one figure as a scenario declares it.
struct DeclaredFigure
{
    std::string name;
    FigureContent content = FigureContent::Metric;
    std::string metric; ///< of summary.csv
    std::string label;  ///< of the metric, with its unit
    double factor = 1;  ///< from the metric to the label's unit
    std::string across; ///< field on the x axis
    std::string acrossLabel;
    std::string acrossMetric; ///< metric on the x axis, instead of `across`; may be empty
    double acrossFactor = 1;  ///< from a number of `across`, or that metric, to its label's unit
    std::string by;           ///< field of the curves, or of a map's rows
    std::string byLabel = {}; ///< of a map's rows; may be empty
    bool isMap = false;
    bool logX = false;
    bool logShades = false;            ///< of a map
    std::vector<FieldValue> where;     ///< what the variants have in common
    std::vector<FieldValue> over;      ///< values of the variants that others are shown over
    std::vector<std::string> variants; ///< names, in the order of the figure; empty: all
    std::vector<DeclaredLine> lines;
    std::vector<PublishedPoints> published;
    std::vector<SamplePanel> panels; ///< instead of `content`, where there are some
    std::string setting;             ///< what holds for all points; may be empty

    bool ShowsMetric() const
    {
        return content == FigureContent::Metric && panels.empty();
    }
};

/// Returns the places in `comparison` of the variants that have all of `values`.
std::vector<std::size_t> VariantsWith(const Comparison& comparison,
                                      const std::vector<FieldValue>& values);

/// Returns the places in `comparison` of the variants that a figure shows, in its order, and behind
/// them those that it shows others over. Their summaries may be empty.
std::vector<std::size_t> VariantsFor(const Comparison& comparison, const DeclaredFigure& figure);

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
