// SPDX-License-Identifier: GPL-2.0-only
#include "figures/declared-figures.h"

#include "figures/comparison-figure.h"
#include "figures/figure-files.h"
#include "figures/metric-points.h"
#include "figures/number-with-unit.h"
#include "figures/spread-text.h"
#include "figures/stacked-timelines-figure.h"
#include "metrics/metric-names.h"
#include "trace/result-file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
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
    return column < variant.values.size() ? variant.values[column] : "";
}

/// Returns the places of the variants that the figure takes, in its order.
std::vector<std::size_t>
VariantsOfFigure(const Comparison& comparison, const DeclaredFigure& figure)
{
    const auto found = VariantsWith(comparison, figure.where);
    if (figure.variants.empty())
    {
        return found;
    }
    std::vector<std::size_t> named;
    for (const auto& name : figure.variants)
    {
        std::copy_if(found.begin(),
                     found.end(),
                     std::back_inserter(named),
                     [&](std::size_t i) { return comparison.variants[i].variant == name; });
    }
    return named;
}

/// Returns the place of the variant that this one is shown over; nothing where there is none, or
/// where it is this one.
std::optional<std::size_t>
BaseOf(const Comparison& comparison, const DeclaredFigure& figure, std::size_t variant)
{
    auto values = figure.over;
    const auto add = [&values](const FieldValue& more)
    {
        const auto isOfField = [&more](const FieldValue& value) { return value.first == more.first; };
        if (std::none_of(values.begin(), values.end(), isOfField))
        {
            values.push_back(more);
        }
    };
    for (const auto& field : {figure.across, figure.by})
    {
        add({field, ValueOfField(comparison, comparison.variants[variant], field)});
    }
    std::for_each(figure.where.begin(), figure.where.end(), add);
    const auto found = VariantsWith(comparison, values);
    return found.empty() || found.front() == variant ? std::nullopt : std::optional(found.front());
}

/// A FigurePoint is a variant's point, in the figure's units.
struct FigurePoint
{
    std::string by;
    std::string across;
    double value = 0;
    PointSpread spread = {};
    double acrossMetric = 0; ///< on the x axis, where the figure asks for it
    bool wasMissedByLoss = false;
};

/// Returns the points of the variants that set both fields of the figure, in their order.
std::vector<FigurePoint>
PointsOfFigure(const Comparison& comparison, const DeclaredFigure& figure)
{
    std::vector<FigurePoint> points;
    for (const std::size_t i : VariantsOfFigure(comparison, figure))
    {
        const auto& variant = comparison.variants[i];
        FigurePoint point{ValueOfField(comparison, variant, figure.by),
                          ValueOfField(comparison, variant, figure.across)};
        const bool hasX = figure.acrossMetric.empty() || variant.summary.Find(figure.acrossMetric);
        if (point.by.empty() || point.across.empty() || !hasX ||
            !variant.summary.Find(figure.metric))
        {
            continue;
        }
        const auto metric = MetricIn(variant.summary, figure.metric);
        point.value = figure.factor * metric.value;
        point.spread = {variant.seeds, figure.factor * metric.halfWidth};
        point.acrossMetric = MetricIn(variant.summary, figure.acrossMetric).value;
        point.wasMissedByLoss = variant.summary.WasMissedByLoss();
        if (!figure.over.empty())
        {
            const auto base = BaseOf(comparison, figure, i);
            const double below =
                base ? MetricIn(comparison.variants[*base].summary, figure.metric).value : 0;
            if (below == 0)
            {
                continue;
            }
            point.value /= below;
            point.spread.halfWidth = 0; // the interval of a ratio is not known
        }
        points.push_back(point);
    }
    return points;
}

std::string
TitleOfFigure(const DeclaredFigure& figure, const std::vector<FigurePoint>& points)
{
    std::vector<PointSpread> spreads;
    for (const auto& point : points)
    {
        spreads.push_back(point.spread);
    }
    return figure.setting + (figure.setting.empty() ? "" : "; ") + SpreadText(spreads);
}

/// Returns the x of a point whose value of the figure's `across` is `across`.
double
XOf(const DeclaredFigure& figure, const FigurePoint& point, double across)
{
    return figure.acrossFactor * (figure.acrossMetric.empty() ? across : point.acrossMetric);
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

/// Returns the variants that the figure takes. Their titles are what the figure calls them.
std::vector<VariantSummary>
TitledVariants(const Comparison& comparison, const DeclaredFigure& figure)
{
    std::vector<VariantSummary> variants;
    for (const std::size_t i : VariantsOfFigure(comparison, figure))
    {
        variants.push_back(comparison.variants[i]);
        const auto by = ValueOfField(comparison, variants.back(), figure.by);
        variants.back().title = by.empty() ? variants.back().title : by;
    }
    return variants;
}

std::vector<NamedTrace>
TracesOf(const std::vector<VariantSummary>& variants)
{
    std::vector<NamedTrace> traces;
    for (const auto& variant : variants)
    {
        traces.push_back({TitleOf(variant), variant.trace});
    }
    return traces;
}

/// Returns the distributions that the figure shows, over all seeds.
CurveFamily
DistributionsOf(const std::vector<VariantSummary>& variants, const DeclaredFigure& figure)
{
    const bool isOfMessages = figure.content == FigureContent::CompletionTimes;
    CurveFamily family{isOfMessages ? "Completion time of a message (s)" : "Time to first token (s)",
                       isOfMessages ? "Share of messages (%)" : "Share of all requests (%)",
                       CurveLook::Stairs};
    family.logX = figure.logX;
    family.leastTop = 100;
    family.title = figure.setting;
    for (const auto& variant : variants)
    {
        const auto& summary = variant.summary;
        const auto stairs = StairsOf(isOfMessages ? summary.completionTimes : summary.ttft);
        if (!stairs.empty())
        {
            family.curves.emplace_back(TitleOf(variant), stairs);
        }
    }
    return family;
}

/// Returns numbers as an axis has them, "1e-5" for "0.00001"; texts that are no numbers as they are.
std::vector<std::string>
PlainNumbers(const std::vector<std::string>& texts)
{
    std::vector<double> numbers;
    for (const auto& text : texts)
    {
        const auto number = ParseNumberWithUnit(text);
        if (!number || !number->unit.empty())
        {
            return texts;
        }
        numbers.push_back(number->value);
    }
    return TextsOfNumbers(numbers);
}

/// Draws a figure that is no map.
Files
DrawOne(const Comparison& comparison, const DeclaredFigure& figure, const FigurePlace& place)
{
    if (figure.ShowsMetric())
    {
        const auto family = CurvesOf(comparison, figure);
        return family.curves.empty() ? Files{} : DrawCurveFamily(family, place);
    }
    const auto variants = TitledVariants(comparison, figure);
    if (variants.empty())
    {
        return {};
    }
    if (!figure.panels.empty())
    {
        return DrawSamplePanels(TracesOf(variants), figure.panels, place);
    }
    if (figure.content == FigureContent::Bars)
    {
        return DrawComparison(variants, place);
    }
    if (figure.content == FigureContent::Timelines)
    {
        return DrawStackedTimelines(TracesOf(variants), figure.setting, place);
    }
    const auto family = DistributionsOf(variants, figure);
    return family.curves.empty() ? Files{} : DrawCurveFamily(family, place);
}

/// Says whether a figure is a map: where it asks for one, or where a value of its x axis is no number.
bool
IsMap(const Comparison& comparison, const DeclaredFigure& figure)
{
    const auto points = figure.ShowsMetric() && figure.acrossMetric.empty()
                            ? PointsOfFigure(comparison, figure)
                            : std::vector<FigurePoint>{};
    return figure.isMap ||
           std::any_of(points.begin(),
                       points.end(),
                       [](const FigurePoint& point) { return !ParseNumberWithUnit(point.across); });
}

/// Returns the maps of the declared figures by their names. Those of one metric have the same colours.
std::map<std::string, HeatMap>
MapsOf(const Comparison& comparison, const std::vector<DeclaredFigure>& figures)
{
    std::map<std::string, HeatMap> maps;
    std::map<std::string, std::vector<HeatMap>> ofMetrics;
    for (const auto& figure : figures)
    {
        auto map = IsMap(comparison, figure) ? CellsOf(comparison, figure) : HeatMap{};
        if (!map.rows.empty())
        {
            ofMetrics[figure.metric].push_back(map);
            maps.emplace(figure.name, std::move(map));
        }
    }
    for (const auto& figure : figures)
    {
        const auto map = maps.find(figure.name);
        if (map != maps.end())
        {
            map->second.range = RangeOf(ofMetrics.at(figure.metric));
        }
    }
    return maps;
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

std::vector<std::size_t>
VariantsFor(const Comparison& comparison, const DeclaredFigure& figure)
{
    std::vector<std::size_t> shown;
    for (const std::size_t i : VariantsOfFigure(comparison, figure))
    {
        const auto& variant = comparison.variants[i];
        if (!figure.ShowsMetric() || (!ValueOfField(comparison, variant, figure.by).empty() &&
                                      !ValueOfField(comparison, variant, figure.across).empty()))
        {
            shown.push_back(i);
        }
    }
    auto all = shown;
    for (const std::size_t i : figure.over.empty() ? std::vector<std::size_t>{} : shown)
    {
        const auto base = BaseOf(comparison, figure, i);
        if (base && std::find(all.begin(), all.end(), *base) == all.end())
        {
            all.push_back(*base);
        }
    }
    return all;
}

CurveFamily
CurvesOf(const Comparison& comparison, const DeclaredFigure& figure)
{
    CurveFamily family{figure.acrossLabel, figure.label};
    family.curvesAre = "series";
    family.logX = figure.logX;
    family.most = figure.over.empty() ? figure.factor * LargestOf(figure.metric) : INFINITY;
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
        const double x = XOf(figure, point, number->value);
        const auto place = PlaceIn(names, point.by);
        curves.resize(names.size());
        curves[place].emplace(number->value, point);
        left = curves.size() == 1 && curves.front().size() == 1 ? x : std::min(left, x);
        right = std::max(right, x);
    }
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        CurvePoints ofCurve;
        std::vector<double> halfWidths;
        for (const auto& [across, point] : curves[i])
        {
            ofCurve.emplace_back(XOf(figure, point, across), point.value);
            halfWidths.push_back(point.spread.halfWidth);
        }
        family.curves.emplace_back(names[i], std::move(ofCurve));
        family.halfWidths.push_back(std::move(halfWidths));
    }
    family.references = ReferencesOf(figure.lines, left, right);
    family.published = figure.published;
    family.title = TitleOfFigure(figure, points);
    return family;
}

HeatMap
CellsOf(const Comparison& comparison, const DeclaredFigure& figure)
{
    HeatMap map;
    map.isLinear = !figure.logShades;
    map.xLabel = figure.acrossLabel;
    map.yLabel = figure.byLabel;
    map.valueLabel =
        "Cells: " + figure.label + (figure.logShades ? "; shades are logarithmic" : "");
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
        map.halfWidths[row][column] = point.spread.halfWidth;
        if (point.wasMissedByLoss)
        {
            map.missedByLoss.emplace(row, column);
        }
    }
    if (std::all_of(points.begin(),
                    points.end(),
                    [](const FigurePoint& point) { return point.spread.halfWidth == 0; }))
    {
        map.halfWidths.clear();
    }
    map.columns = PlainNumbers(map.columns);
    map.title = TitleOfFigure(figure, points);
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
    MakeResultFolder(folder.Path());
    Files files;
    const auto maps = MapsOf(comparison, figures);
    for (const auto& figure : figures)
    {
        const auto map = maps.find(figure.name);
        Append(files,
               map != maps.end() ? DrawHeatMap(map->second, folder / figure.name)
               : figure.isMap    ? Files{}
                                 : DrawOne(comparison, figure, folder / figure.name));
    }
    return files;
}

} // namespace geotrain
