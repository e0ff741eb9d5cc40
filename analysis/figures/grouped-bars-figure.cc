// SPDX-License-Identifier: GPL-2.0-only
#include "figures/grouped-bars-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace geotrain
{

namespace
{

constexpr double plotPoints = 170; // the height of the plot area
constexpr double barsBottomPoints = 36;
constexpr double barsLeftPoints = 48;
constexpr double barsRightPoints = 12;
constexpr double groupWidth = 0.86;      // width of a group's bars, in distances of two groups
constexpr double leastLabelPoints = 7.5; // narrower bars have no number on them

/// Colours of the series. Neighbours differ in luminance, so that grey prints keep them apart.
constexpr std::array<const char*, 14> colours = {"#12395c",
                                                 "#a8d5f0",
                                                 "#9a5a8c",
                                                 "#f0c27b",
                                                 "#2f7fb8",
                                                 "#e7e7e7",
                                                 "#1f6b4a",
                                                 "#de8f2e",
                                                 "#5e1f3d",
                                                 "#9fd08c",
                                                 "#6b6b6b",
                                                 "#f3e08a",
                                                 "#a33b2a",
                                                 "#c9b4dc"};

std::string
Fill(std::size_t series)
{
    return BoxOf(colours[series % colours.size()]);
}

double
Highest(const GroupedBars& bars)
{
    double highest = 0;
    for (const auto& series : bars.series)
    {
        for (const auto& value : series.values)
        {
            highest = std::max(highest, value.value_or(0));
        }
    }
    return highest;
}

std::string
GroupTics(const std::vector<std::string>& groups)
{
    std::string tics;
    for (std::size_t group = 0; group < groups.size(); ++group)
    {
        tics += fmt::format("{}{} {}", group == 0 ? "" : ", ", Quoted(groups[group]), group);
    }
    return "set xtics nomirror scale 0 (" + tics + ")\n";
}

/// Returns the bars of every series. With `numbers` it writes their values as upright labels above
/// them.
std::vector<FigureTable>
MakeBars(FigureScript& commands, const GroupedBars& bars, bool numbers)
{
    const double width = groupWidth / static_cast<double>(bars.series.size());
    std::vector<FigureTable> layers;
    for (std::size_t series = 0; series < bars.series.size(); ++series)
    {
        layers.push_back({{{"series", bars.series[series].name}},
                          {ColumnNameOf(bars.groupLabel), "left", "right", ColumnNameOf(bars.valueLabel)}});
        for (std::size_t group = 0; group < bars.groups.size(); ++group)
        {
            const auto value = bars.series[series].values[group];
            const double left =
                static_cast<double>(group) - groupWidth / 2 + static_cast<double>(series) * width;
            if (!value)
            {
                continue;
            }
            layers[series].rows.push_back({bars.groups[group], left, left + width, *value});
            if (numbers)
            {
                commands << fmt::format(
                    "set label '{:.3g}' at first {}, first {} left rotate by 90 offset 0,0.3 "
                    "font ',{}'\n",
                    *value,
                    left + width / 2,
                    *value,
                    smallFontPoints);
            }
        }
    }
    return layers;
}

void
Plot(FigureScript& commands, const std::vector<FigureTable>& layers)
{
    std::string separator = "plot ";
    for (std::size_t series = 0; series < layers.size(); ++series)
    {
        if (!layers[series].rows.empty())
        {
            commands << separator << commands.Add(layers[series])
                     << " using 2:4:2:3:(0):4 with boxxyerror " << Fill(series);
            separator = ", ";
        }
    }
    commands << "\n";
}

} // namespace

std::vector<std::filesystem::path>
DrawGroupedBars(const GroupedBars& bars, const FigurePlace& place)
{
    std::vector<LegendEntry> entries;
    for (std::size_t series = 0; series < bars.series.size(); ++series)
    {
        entries.push_back({Fill(series), bars.series[series].name});
    }
    const Legend legend(entries, place.Width(twoColumnPoints), barsLeftPoints);
    const double barsTopPoints = 6 + legend.Height();
    const FigurePage page =
        place.Page(twoColumnPoints, barsTopPoints + plotPoints + barsBottomPoints);
    const double highest = Highest(bars);
    const double groupPoints =
        (page.width - barsLeftPoints - barsRightPoints) / static_cast<double>(bars.groups.size());
    const bool numbers =
        groupPoints * groupWidth / static_cast<double>(bars.series.size()) >= leastLabelPoints;
    return DrawFigure(
        place,
        page,
        [&](FigureScript& commands)
        {
            commands << Frame()
                     << Margins(
                            page, barsLeftPoints, barsRightPoints, barsTopPoints, barsBottomPoints)
                     << fmt::format("set xrange [-0.5:{}]\nset yrange [0:{}]\n",
                                    static_cast<double>(bars.groups.size()) - 0.5,
                                    (numbers ? 1.16 : 1.05) * highest)
                     << GroupTics(bars.groups) << "set ytics "
                     << TickStep(highest) << "\n"
                     << "set xlabel " << Quoted(bars.groupLabel) << " offset 0,0.3\n"
                     << "set ylabel " << Quoted(bars.valueLabel) << " offset 0.5,0\n"
                     << legend.Commands(page);
            Plot(commands, MakeBars(commands, bars, numbers));
        });
}

} // namespace geotrain
