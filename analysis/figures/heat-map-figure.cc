// SPDX-License-Identifier: GPL-2.0-only
#include "figures/heat-map-figure.h"

#include "figures/figure.h"
#include "metrics/mean-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double mapRowPoints = 18;
constexpr double mapIntervalPoints = 8; // more where cells have intervals
constexpr double mapTopPoints = 6;
constexpr double mapBottomPoints = 68;
constexpr double mapBarPoints = 100; // width of the bar of colours
constexpr int cellDigits = 3;        // significant ones of a cell without an interval

/// Returns the half width of a cell's interval; 0 where it has none.
double
HalfWidthOf(const HeatMap& map, std::size_t row, std::size_t column)
{
    return map.halfWidths.empty() ? 0 : map.halfWidths[row][column];
}

/// Returns whether shades go by the logarithm, since iteration times of congestion controls lie
/// decades apart.
bool
IsLogarithmic(const HeatMap& map, const HeatRange& range)
{
    return !map.isLinear && range.low > 0;
}

std::string
LabelOfCells(const HeatMap& map)
{
    return map.valueLabel + (map.missedByLoss.empty() ? "" : " (*: no packet lost)");
}

/// Returns gnuplot commands of the colours, light for the lowest value, and of their bar.
std::string
Colours(const FigurePage& page, const HeatMap& map, const HeatRange& range)
{
    const double top = range.high > range.low ? range.high : range.low + 1;
    return fmt::format("set palette defined (0 '#f2f5f8', 1 '#123f66')\nset cbrange [{}:{}]\n{}"
                       "set colorbox horizontal user origin screen {}, screen {} size screen {}, "
                       "screen {} noborder\n"
                       "set cbtics ('{:.3g}' {}, '{:.3g}' {}) scale 0 font ',{}' offset 0,0.5\n"
                       "set cblabel {} font ',{}' offset 0,0.8\n",
                       range.low,
                       top,
                       IsLogarithmic(map, range) ? "set logscale cb\n" : "",
                       page.FromLeft((page.width - mapBarPoints) / 2),
                       page.FromBottom(24),
                       mapBarPoints / page.width,
                       page.FromBottom(7),
                       range.low,
                       range.low,
                       range.high,
                       top,
                       smallFontPoints,
                       Quoted(LabelOfCells(map)),
                       smallFontPoints);
}

/// Returns the cells as lines of a datablock: column, row, value, its text and that of its interval.
std::string
Cells(const HeatMap& map)
{
    std::string cells = "$cells << EOD\n";
    for (std::size_t row = 0; row < map.rows.size(); ++row)
    {
        for (std::size_t column = 0; column < map.columns.size(); ++column)
        {
            if (const auto value = map.values[row][column])
            {
                const double halfWidth = HalfWidthOf(map, row, column);
                const auto text = TextOfMean(*value, halfWidth, cellDigits);
                cells += fmt::format("{} {} {} \"{}{}\" \"{}\"\n",
                                     column,
                                     row,
                                     *value,
                                     text.mean,
                                     map.missedByLoss.count({row, column}) > 0 ? "*" : "",
                                     halfWidth > 0 ? "± " + text.halfWidth : "");
            }
        }
    }
    return cells + "EOD\n";
}

/// Returns the `plot` of the cells, whose numbers are white on dark shades.
std::string
PlotOfCells(const HeatMap& map, const HeatRange& range)
{
    const double middle = IsLogarithmic(map, range) ? std::sqrt(range.low * range.high)
                                                    : (range.low + range.high) / 2;
    const auto ink = fmt::format("($3>{}?0xffffff:0x1a1a1a)", middle);
    return fmt::format("plot $cells using 1:2:($1-0.49):($1+0.49):($2-0.47):($2+0.47):3 with "
                       "boxxyerror fs solid noborder fc palette, "
                       "$cells using 1:(strlen(strcol(5))?$2-0.18:$2):4:{0} with labels "
                       "tc rgb variable font ',{1}', "
                       "$cells using 1:($2+0.25):5:{0} with labels tc rgb variable font ',{2}'\n",
                       ink,
                       fontPoints - 1,
                       smallFontPoints);
}

/// Returns the y axis' label and its margin. gnuplot counts letters, so that it sets a label onto names of rows in
/// capitals.
std::string
LabelOfRows(const FigurePage& page, const HeatMap& map)
{
    const double margin = WidestOf(map.rows, fontPoints) + (map.yLabel.empty() ? 10 : 30);
    return fmt::format("set lmargin at screen {}\n"
                       "set label {} at screen {}, graph 0.5 center rotate by 90\n",
                       margin / page.width,
                       Quoted(map.yLabel),
                       8 / page.width);
}

FigureTable
TableOf(const HeatMap& map)
{
    const auto cells = ColumnNameOf(map.valueLabel);
    FigureTable table{{}, {"row", ColumnNameOf(map.xLabel), cells}};
    if (!map.halfWidths.empty())
    {
        table.columns.push_back(cells + "_ci95");
    }
    for (std::size_t row = 0; row < map.rows.size(); ++row)
    {
        for (std::size_t column = 0; column < map.columns.size(); ++column)
        {
            if (const auto value = map.values[row][column])
            {
                table.rows.push_back({map.rows[row], map.columns[column], *value});
                if (!map.halfWidths.empty())
                {
                    table.rows.back().push_back(map.halfWidths[row][column]);
                }
            }
        }
    }
    return table;
}

} // namespace

HeatRange
RangeOf(const std::vector<HeatMap>& maps)
{
    HeatRange range{INFINITY, 0};
    for (const auto& map : maps)
    {
        for (const auto& row : map.values)
        {
            for (const auto& value : row)
            {
                range.low = std::min(range.low, value.value_or(INFINITY));
                range.high = std::max(range.high, value.value_or(0));
            }
        }
    }
    return range;
}

std::vector<std::filesystem::path>
DrawHeatMap(const HeatMap& map, const FigurePlace& place)
{
    const auto columns = static_cast<double>(map.columns.size());
    const bool isWide = WidestOf(map.rows, fontPoints) +
                            columns * (4 + WidestOf(map.columns, fontPoints)) +
                            (map.yLabel.empty() ? 22 : 36) >
                        oneColumnPoints;
    const double rowPoints = mapRowPoints + (map.halfWidths.empty() ? 0 : mapIntervalPoints);
    const FigurePage page = place.Page(
        isWide ? twoColumnPoints : oneColumnPoints,
        mapTopPoints + rowPoints * static_cast<double>(map.rows.size()) + mapBottomPoints,
        map.title);
    const HeatRange range = map.range.value_or(RangeOf({map}));
    return DrawFigure(place,
                      page,
                      [&](FigureScript& script)
                      {
                          script.Add(TableOf(map));
                          script << Cells(map) << "unset key\nunset border\n"
                                 << fmt::format(
                                        "set tmargin at screen {}\nset bmargin at screen {}\n"
                                        "set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n",
                                        page.FromTop(mapTopPoints),
                                        page.FromBottom(mapBottomPoints),
                                        columns - 0.5,
                                        static_cast<double>(map.rows.size()) - 0.5)
                                 << NamedTics("x", map.columns) << NamedTics("y", map.rows)
                                 << "set xlabel " << Quoted(map.xLabel) << "\n"
                                 << LabelOfRows(page, map) << Colours(page, map, range)
                                 << PlotOfCells(map, range);
                      });
}

} // namespace geotrain
