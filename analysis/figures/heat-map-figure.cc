// SPDX-License-Identifier: GPL-2.0-only
#include "figures/heat-map-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double mapRowPoints = 18;
constexpr double mapTopPoints = 6;
constexpr double mapBottomPoints = 62;
constexpr double mapBarPoints = 100; // width of the bar of colours
constexpr int mapBarSteps = 40;
constexpr double mapRightPoints = 10;

/// Returns the colour of a cell, from light for share 0 to dark for share 1.
std::string
Colour(double share)
{
    const auto mix = [share](double from, double to)
    { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0xf2, 0x12), mix(0xf5, 0x3f), mix(0xf8, 0x66));
}

/// Returns the place of `value` in the range, in [0, 1]. It goes by the logarithm, since iteration
/// times of congestion controls lie decades apart.
double
ShareOf(double value, const HeatRange& range)
{
    const bool flat = range.low <= 0 || range.high <= range.low;
    return flat ? 0 : std::log(value / range.low) / std::log(range.high / range.low);
}

std::string
Cell(std::size_t row, std::size_t column, double value, const HeatRange& range)
{
    const double share = ShareOf(value, range);
    const auto x = static_cast<double>(column);
    const auto y = static_cast<double>(row);
    return fmt::format("set object rectangle from first {}, first {} to first {}, first {} "
                       "fs solid noborder fc rgb '{}' behind\n"
                       "set label '{:.3g}' at first {}, first {} center front font ',{}' "
                       "tc rgb '{}'\n",
                       x - 0.49,
                       y - 0.47,
                       x + 0.49,
                       y + 0.47,
                       Colour(share),
                       value,
                       x,
                       y,
                       fontPoints - 1,
                       share > 0.5 ? "#ffffff" : "#1a1a1a");
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

FigureTable
TableOf(const HeatMap& map)
{
    FigureTable table{{}, {"row", ColumnNameOf(map.xLabel), ColumnNameOf(map.valueLabel)}};
    for (std::size_t row = 0; row < map.rows.size(); ++row)
    {
        for (std::size_t column = 0; column < map.columns.size(); ++column)
        {
            if (const auto value = map.values[row][column])
            {
                table.rows.push_back({map.rows[row], map.columns[column], *value});
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
    double left = 0;
    for (const auto& row : map.rows)
    {
        left = std::max(left, 12 + TextWidth(row, fontPoints));
    }
    const FigurePage page = place.Page(
        oneColumnPoints,
        mapTopPoints + mapRowPoints * static_cast<double>(map.rows.size()) + mapBottomPoints,
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
                              << "set label " << Quoted(map.valueLabel) << " at screen 0.5, screen "
                              << page.FromBottom(8)
                              << fmt::format(" center font ',{}'\n", smallFontPoints)
                              << ColourBar(page, range);
                          commands.Add(TableOf(map));
                          for (std::size_t row = 0; row < map.rows.size(); ++row)
                          {
                              for (std::size_t column = 0; column < map.columns.size(); ++column)
                              {
                                  if (const auto value = map.values[row][column])
                                  {
                                      commands << Cell(row, column, *value, range);
                                  }
                              }
                          }
                          commands << "plot NaN\n";
                      });
}

} // namespace geotrain
