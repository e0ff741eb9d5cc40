// SPDX-License-Identifier: GPL-2.0-only
#include "figures/declared-figures.h"

#include "figures/comparison-figures.h"

#include "figures/figure-files.h"
#include "figures/metric-points.h"
#include "figures/number-with-unit.h"
#include "figures/spread-text.h"
#include "metrics/metric-names.h"

#include <algorithm>
#include <map>
#include <optional>

namespace geotrain
{

namespace
{

/// Returns the value that a variant gives to a field; empty where it does not set it.
std::string
ValueOfField(const Comparison& comparison, const VariantSummary& variant, const std::string& path)
{
    const auto& paths = comparison.variedPaths;
    const auto column =
        static_cast<std::size_t>(std::find(paths.begin(), paths.end(), path) - paths.begin());
    return column < variant.values.size() ? variant.values[column].text : "";
}

/// A FigurePoint is a variant's point, in the figure's units.
struct FigurePoint
{
    std::string by;
    std::string across;
    double value = 0;
    double halfWidth = 0;
    bool wasMissedByLoss = false;
};

/// Returns the points of the variants that set both fields of the figure, in their order.
std::vector<FigurePoint>
PointsOfFigure(const Comparison& comparison, const DeclaredFigure& figure)
{
    std::vector<FigurePoint> points;
    for (const std::size_t i : VariantsWith(comparison, figure.where))
    {
        const auto& variant = comparison.variants[i];
        FigurePoint point{ValueOfField(comparison, variant, figure.by),
                          ValueOfField(comparison, variant, figure.across)};
        if (!point.by.empty() && !point.across.empty() && variant.summary.Find(figure.metric))
        {
            const auto metric = MetricIn(variant.summary, figure.metric);
            point.value = figure.factor * metric.value;
            point.halfWidth = figure.factor * metric.halfWidth;
            point.wasMissedByLoss = variant.summary.WasMissedByLoss();
            points.push_back(point);
        }
    }
    return points;
}

std::string
TitleOfFigure(const Comparison& comparison,
              const DeclaredFigure& figure,
              const std::vector<FigurePoint>& points)
{
    std::size_t seeds = 1;
    for (const auto& variant : comparison.variants)
    {
        seeds = std::max(seeds, variant.seeds);
    }
    std::vector<double> halfWidths;
    for (const auto& point : points)
    {
        halfWidths.push_back(point.halfWidth);
    }
    return figure.setting + (figure.setting.empty() ? "" : "; ") + SpreadText(seeds, halfWidths);
}

/// Returns the lines as curves; a level goes from `left` to `right`.
std::vector<std::pair<std::string, CurvePoints>>
ReferencesOf(const std::vector<DeclaredLine>& lines, double left, double right)
{
    std::vector<std::pair<std::string, CurvePoints>> references;
    for (const auto& line : lines)
    {
        CurvePoints points;
        for (std::size_t i = 0; i < line.x.size() && i < line.y.size(); ++i)
        {
            points.emplace_back(line.x[i], line.y[i]);
        }
        if (line.x.empty() && !line.y.empty())
        {
            points = {{left, line.y.front()}, {right, line.y.front()}};
        }
        references.emplace_back(line.name, std::move(points));
    }
    return references;
}

} // namespace

std::vector<std::size_t>
VariantsWith(const Comparison& comparison, const std::vector<FieldValue>& values)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < comparison.variants.size(); ++i)
    {
        const auto has = [&](const FieldValue& value)
        { return ValueOfField(comparison, comparison.variants[i], value.first) == value.second; };
        if (std::all_of(values.begin(), values.end(), has))
        {
            found.push_back(i);
        }
    }
    return found;
}

CurveFamily
CurvesOf(const Comparison& comparison, const DeclaredFigure& figure)
{
    CurveFamily family{figure.acrossLabel, figure.label};
    family.curvesAre = "series";
    family.logX = figure.logX;
    family.most = figure.factor * LargestOf(figure.metric);
    const auto points = PointsOfFigure(comparison, figure);
    std::vector<std::string> names;
    std::vector<std::map<double, FigurePoint>> curves;
    double left = 0;
    double right = 0;
    for (const auto& point : points)
    {
        const auto number = ParseNumberWithUnit(point.across);
        if (!number)
        {
            continue;
        }
        const double x = figure.acrossFactor * number->value;
        const auto place = PlaceIn(names, point.by);
        curves.resize(names.size());
        curves[place].emplace(x, point);
        left = curves.size() == 1 && curves.front().size() == 1 ? x : std::min(left, x);
        right = std::max(right, x);
    }
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        CurvePoints ofCurve;
        std::vector<double> halfWidths;
        for (const auto& [x, point] : curves[i])
        {
            ofCurve.emplace_back(x, point.value);
            halfWidths.push_back(point.halfWidth);
        }
        family.curves.emplace_back(names[i], std::move(ofCurve));
        family.halfWidths.push_back(std::move(halfWidths));
    }
    family.references = ReferencesOf(figure.lines, left, right);
    family.title = TitleOfFigure(comparison, figure, points);
    return family;
}

HeatMap
CellsOf(const Comparison& comparison, const DeclaredFigure& figure)
{
    HeatMap map;
    map.isLinear = true;
    map.xLabel = figure.acrossLabel;
    map.valueLabel = "Cells: " + figure.label;
    const auto points = PointsOfFigure(comparison, figure);
    for (const auto& point : points)
    {
        PlaceIn(map.rows, point.by);
        PlaceIn(map.columns, point.across);
    }
    const std::vector<std::optional<double>> empty(map.columns.size());
    map.values.assign(map.rows.size(), empty);
    map.halfWidths.assign(map.rows.size(), std::vector<double>(map.columns.size(), 0));
    for (const auto& point : points)
    {
        const auto row = PlaceIn(map.rows, point.by);
        const auto column = PlaceIn(map.columns, point.across);
        map.values[row][column] = point.value;
        map.halfWidths[row][column] = point.halfWidth;
        if (point.wasMissedByLoss)
        {
            map.missedByLoss.emplace(row, column);
        }
    }
    if (std::all_of(points.begin(),
                    points.end(),
                    [](const FigurePoint& point) { return point.halfWidth == 0; }))
    {
        map.halfWidths.clear();
    }
    map.title = TitleOfFigure(comparison, figure, points);
    for (const auto& line : figure.lines)
    {
        map.title += "; " + line.name;
    }
    return map;
}

std::vector<std::filesystem::path>
DrawDeclaredFigures(const Comparison& comparison,
                    const std::vector<DeclaredFigure>& figures,
                    const FigurePlace& place)
{
    const FigurePlace folder = place.WithCaution(CautionOf(comparison));
    std::filesystem::create_directories(folder.Path());
    Files files;
    for (const auto& figure : figures)
    {
        if (figure.isMap)
        {
            const auto map = CellsOf(comparison, figure);
            Append(files, map.rows.empty() ? Files{} : DrawHeatMap(map, folder / figure.name));
            continue;
        }
        const auto family = CurvesOf(comparison, figure);
        Append(files,
               family.curves.empty() ? Files{} : DrawCurveFamily(family, folder / figure.name));
    }
    return files;
}

} // namespace geotrain
