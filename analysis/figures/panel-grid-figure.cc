// SPDX-License-Identifier: GPL-2.0-only
#include "figures/panel-grid-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double gridPanelPoints = 70; // height of a panel
constexpr double gridRowGapPoints = 12;
constexpr double gridColumnGapPoints = 14;
constexpr double gridTopPoints = 18; // for the headings
constexpr double gridBottomPoints = 34;
constexpr double gridLeftPoints = 50;
constexpr double gridRightPoints = 12;

/// Returns the highest value of a row, its limit included.
double
HighestOf(const PanelRow& row)
{
    double highest = row.limit.value_or(0);
    for (const auto& panel : row.panels)
    {
        for (const auto& [x, y] : panel)
        {
            highest = std::max(highest, y);
        }
    }
    return highest > 0 ? highest : 1;
}

/// Writes the commands of the y axis, the limit and the panel's curve.
void
PlotPanel(FigureScript& script,
          const PanelGrid& grid,
          std::size_t rowIndex,
          std::size_t column,
          const std::string& colour)
{
    const auto& row = grid.rows[rowIndex];
    const double highest = HighestOf(row);
    script << fmt::format("set yrange [0:{}]\nset ytics {}\nset format y '{}'\n",
                          (row.notes.empty() ? 1.12 : 1.35) * highest, // room for the notes
                          TickStep(highest),
                          column == 0 ? "%g" : "")
           << "set ylabel " << Quoted(column == 0 ? row.label : "")
           << "\nunset label 3\nunset arrow 1\n";
    if (!row.notes.empty())
    {
        script << "set label 3 " << Quoted(row.notes[column])
               << fmt::format(" at graph 0.98, graph 0.93 right font ',{}' front\n",
                              smallFontPoints);
    }
    if (row.limit)
    {
        script << fmt::format(
            "set arrow 1 from graph 0, first {0} to graph 1, first {0} nohead lw 0.8 "
            "dt 2 lc rgb '#777777' front\n",
            *row.limit);
    }
    FigureTable table{{{"panel", grid.columns[column]}},
                      {ColumnNameOf(grid.xLabel), ColumnNameOf(row.label)},
                      {}};
    for (const auto& [x, y] : row.panels[column])
    {
        table.rows.push_back({x, y});
    }
    if (table.rows.empty())
    {
        table.rows.push_back({0.0, 0.0});
    }
    script << "plot " << script.Add(std::move(table)) << " using 1:2 with lines lw 0.8 lc rgb '"
           << colour << "'\n";
}

} // namespace

std::vector<std::filesystem::path>
DrawPanelGrid(const PanelGrid& grid, const FigurePlace& place)
{
    const auto rows = static_cast<double>(grid.rows.size());
    const FigurePage page = place.Page(twoColumnPoints,
                                       gridTopPoints + rows * (gridPanelPoints + gridRowGapPoints) -
                                           gridRowGapPoints + gridBottomPoints);
    const Panels panels = {grid.rows.size(),
                           grid.columns.size(),
                           gridLeftPoints,
                           gridRightPoints,
                           gridTopPoints,
                           gridBottomPoints,
                           gridColumnGapPoints,
                           gridRowGapPoints};
    const auto styles = StylesOf(grid.columns);
    return DrawFigure(
        place,
        page,
        [&](FigureScript& script)
        {
            const bool isNarrow = grid.columns.size() > 2; // panels have room for half the ticks
            script << Frame() << "set grid ytics " << gridStyle << "\n"
                   << fmt::format("set xrange [0:{}]\nset xtics {}\n",
                                  grid.to,
                                  TickStep(isNarrow ? 2 * grid.to : grid.to))
                   << "set format x ''\n";
            for (std::size_t row = 0; row < grid.rows.size(); ++row)
            {
                if (row + 1 == grid.rows.size())
                {
                    script << "set format x '%g'\nset xlabel " << Quoted(grid.xLabel)
                           << " offset 0,0.3\n";
                }
                for (std::size_t column = 0; column < grid.columns.size(); ++column)
                {
                    script << "set label 2 " << Quoted(row == 0 ? grid.columns[column] : "")
                           << " at graph 0.5, graph 1 center offset 0,0.6\n";
                    PlotPanel(script, grid, row, column, styles[column].colour);
                }
            }
        },
        panels);
}

} // namespace geotrain
