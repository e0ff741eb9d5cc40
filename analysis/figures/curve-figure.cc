// SPDX-License-Identifier: GPL-2.0-only
#include "figures/curve-figure.h"

#include "figures/error-bars.h"
#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr FigureSize curveSize{252, 170}; // a column of a two-column paper
constexpr double curveTopPoints = 8;
constexpr double curveTitlePoints = 12; // more, where there is one
constexpr double curveBottomPoints = 34;
constexpr double curveLeftPoints = 54;
constexpr double curveRightPoints = 12;

/// Returns whether no two of the points, which are sorted by x, have the same x.
bool
AreOfOneCurve(const std::vector<std::pair<double, double>>& points)
{
    return std::adjacent_find(points.begin(),
                              points.end(),
                              [](const auto& a, const auto& b)
                              { return a.first == b.first; }) == points.end();
}

} // namespace

std::vector<std::filesystem::path>
DrawCurve(const Curve& curve, const std::filesystem::path& stem)
{
    double right = 0;
    double top = 0;
    for (std::size_t i = 0; i < curve.points.size(); ++i)
    {
        const auto& [x, y] = curve.points[i];
        right = std::max(right, x);
        top = std::max(top, y + (curve.halfWidths.empty() ? 0 : curve.halfWidths[i]));
    }
    const auto bars = BarsOf(curve.points, curve.halfWidths);
    return DrawFigure(
        stem,
        curveSize,
        [&](Gnuplot& commands)
        {
            commands
                << "unset key\nset border 3 lw 0.5\n"
                << Margins(curveSize,
                           curveLeftPoints,
                           curveRightPoints,
                           curve.title.empty() ? curveTopPoints : curveTopPoints + curveTitlePoints,
                           curveBottomPoints)
                << fmt::format("set xrange [0:{}]\nset yrange [0:{}]\n", 1.04 * right, 1.08 * top)
                << "set xtics nomirror out scale 0.6 "
                << (curve.countsOnX ? std::max(1.0, TickStep(right)) : TickStep(right))
                << "\nset ytics nomirror out scale 0.6 " << TickStep(top)
                << "\nset grid ytics lw 0.4 lt 1 lc rgb '#dddddd'\n"
                << "set title " << Quoted(curve.title) << " offset 0,-0.6\n"
                << "set xlabel " << Quoted(curve.xLabel) << " offset 0,0.3\n"
                << "set ylabel " << Quoted(curve.yLabel) << "\n"
                << "plot '-' with " << (AreOfOneCurve(curve.points) ? "linespoints lw 1" : "points")
                << " pt 7 ps 0.4 lc rgb '" << lineColour << "'"
                << (bars.empty() ? "" : ", " + ErrorBars(fmt::format("lc rgb '{}'", lineColour)))
                << "\n";
            commands.send1d(curve.points);
            if (!bars.empty())
            {
                commands.send1d(bars);
            }
        });
}

} // namespace geotrain
