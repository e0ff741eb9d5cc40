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
constexpr double mapBottomPoints = 62;
constexpr double mapBarPoints = 100; // width of the bar of colours
constexpr int mapBarSteps = 40;
constexpr int cellDigits = 3; // significant ones of a cell without an interval
constexpr double mapRightPoints = 10;

/// Returns the colour of a cell, from light for share 0 to dark for share 1.
std::string
Colour(double share)
{
    const auto mix = [share](double from, double to)
    { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0xf2, 0x12), mix(0xf5, 0x3f), mix(0xf8, 0x66));
}

/// Returns the place of `value` in the range, in [0, 1]. Unless the map is linear, it goes by the
/// logarithm, since iteration times of congestion controls lie decades apart.
double
ShareOf(double value, const HeatRange& range, bool isLinear)
{
    if (range.high <= range.low)
    {
        return 0;
    }
    if (isLinear)
    {
        return (value - range.low) / (range.high - range.low);
    }
    return range.low <= 0 ? 0 : std::log(value / range.low) / std::log(range.high / range.low);
}

/// Returns the half width of a cell's interval; 0 where it has none.
double
HalfWidthOf(const HeatMap& map, std::size_t row, std::size_t column)
{
    return map.halfWidths.empty() ? 0 : map.halfWidths[row][column];
}

/// Returns the interval's line below the cell's number; nothing where there is no interval.
std::string
IntervalOf(const HeatMap& map, std::size_t row, std::size_t column, const std::string& colour)
{
    const double halfWidth = HalfWidthOf(map, row, column);
    if (halfWidth == 0)
    {
        return "";
    }
    const auto text = TextOfMean(map.values[row][column].value(), halfWidth, cellDigits);
    return fmt::format("set label '± {}' at first {}, first {} center front font ',{}' tc rgb "
                       "'{}'\n",
                       text.halfWidth,
                       column,
                       static_cast<double>(row) + 0.25,
                       smallFontPoints,
                       colour);
}

std::string
Cell(const HeatMap& map, std::size_t row, std::size_t column, const HeatRange& range)
{
    const double value = map.values[row][column].value();
    const double share = ShareOf(value, range, map.isLinear);
    const std::string ink = share > 0.5 ? "#ffffff" : "#1a1a1a";
    const auto interval = IntervalOf(map, row, column, ink);
    const auto x = static_cast<double>(column);
    const auto y = static_cast<double>(row);
    return fmt::format("set object rectangle from first {}, first {} to first {}, first {} "
                       "fs solid noborder fc rgb '{}' behind\n"
                       "set label '{}{}' at first {}, first {} center front font ',{}' "
                       "tc rgb '{}'\n",
                       x - 0.49,
                       y - 0.47,
                       x + 0.49,
                       y + 0.47,
                       Colour(share),
                       TextOfMean(value, HalfWidthOf(map, row, column), cellDigits).mean,
                       map.missedByLoss.count({row, column}) > 0 ? "*" : "",
                       x,
                       y - (interval.empty() ? 0 : 0.18),
                       fontPoints - 1,
                       ink) +
           interval;
}

/// Returns the bar of colours from the lowest to the highest value, with both numbers.
std::string
ColourBar(const FigurePage& page, const HeatRange& range)
{
    std::string bar;
    const double left = (page.width - mapBarPoints) / 2;
    const double step = mapBarPoints / mapBarSteps;
    for (int i = 0; i < mapBarSteps; ++i)
    {
        bar += fmt::format("set object rectangle from screen {}, screen {} to screen {}, screen {} "
                           "fs solid noborder fc rgb '{}'\n",
                           page.FromLeft(left + step * i),
                           page.FromBottom(18),
                           page.FromLeft(left + step * (i + 1.1)), // no seams
                           page.FromBottom(26),
                           Colour(i / (mapBarSteps - 1.0)));
    }
    return bar + fmt::format("set label '{:.3g}' at screen {}, screen {} right font ',{}'\n"
                             "set label '{:.3g}' at screen {}, screen {} left font ',{}'\n",
                             range.low,
                             page.FromLeft(left - 4),
                             page.FromBottom(22),
                             smallFontPoints,
                             range.high,
                             page.FromLeft(left + mapBarPoints + 4),
                             page.FromBottom(22),
                             smallFontPoints);
}

/// Returns the width of the widest of `names`.
double
WidestOf(const std::vector<std::string>& names)
{
    double widest = 0;
    for (const auto& name : names)
    {
        widest = std::max(widest, TextWidth(name, fontPoints));
    }
    return widest;
}

std::string
Tics(const char* axis, const std::vector<std::string>& names)
{
    std::string tics = fmt::format("set {}tics (", axis);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", Quoted(names[i]), i);
    }
    return tics + ") nomirror scale 0\n";
}

std::string
LabelOfCells(const HeatMap& map)
{
    return map.valueLabel + (map.missedByLoss.empty() ? "" : " (*: no packet lost)");
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
    const double left = 12 + WidestOf(map.rows);
    const auto columns = static_cast<double>(map.columns.size());
    const bool isWide =
        left + columns * (4 + WidestOf(map.columns)) + mapRightPoints > oneColumnPoints;
    const double rowPoints = mapRowPoints + (map.halfWidths.empty() ? 0 : mapIntervalPoints);
    const FigurePage page = place.Page(
        isWide ? twoColumnPoints : oneColumnPoints,
        mapTopPoints + rowPoints * static_cast<double>(map.rows.size()) + mapBottomPoints,
        map.title);
    const HeatRange range = map.range.value_or(RangeOf({map}));
    return DrawFigure(place,
                      page,
                      [&](FigureScript& commands)
                      {
                          commands
                              << "unset key\nunset border\n"
                              << Margins(page, left, mapRightPoints, mapTopPoints, mapBottomPoints)
                              << fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n",
                                             static_cast<double>(map.columns.size()) - 0.5,
                                             static_cast<double>(map.rows.size()) - 0.5)
                              << Tics("x", map.columns) << Tics("y", map.rows) << "set label "
                              << Quoted(map.xLabel) << " at graph 0.5, screen "
                              << page.FromBottom(36) << " center\n"
                              << "set label " << Quoted(LabelOfCells(map))
                              << " at screen 0.5, screen " << page.FromBottom(8)
                              << fmt::format(" center font ',{}'\n", smallFontPoints)
                              << ColourBar(page, range);
                          commands.Add(TableOf(map));
                          for (std::size_t row = 0; row < map.rows.size(); ++row)
                          {
                              for (std::size_t column = 0; column < map.columns.size(); ++column)
                              {
                                  if (map.values[row][column])
                                  {
                                      commands << Cell(map, row, column, range);
                                  }
                              }
                          }
                          commands << "plot NaN\n";
                      });
}

} // namespace geotrain
