#include "figures/curve-family-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double plotHeight = 150;
constexpr double keyRow = 11; // below the axis, a row a curve
constexpr double topPoints = 8;
constexpr double axisPoints = 34;
constexpr double leftPoints = 48;
constexpr double rightPoints = 12;

// Luminance and dash tell them apart in grey; from the seventh curve on they repeat.
constexpr const char* styles[] = {"lc rgb '#123f66' dt 1",
                                  "lc rgb '#de8f2e' dt 1",
                                  "lc rgb '#9a5a8c' dt 2",
                                  "lc rgb '#2f7fb8' dt 3",
                                  "lc rgb '#5b7f5e' dt 4",
                                  "lc rgb '#1a1a1a' dt 5"};

} // namespace

std::vector<std::filesystem::path>
DrawCurveFamily(const CurveFamily& family, const std::filesystem::path& stem)
{
    double right = 0;
    double top = 0;
    for (const auto& [name, points] : family.curves)
    {
        for (const auto& [x, y] : points)
        {
            right = std::max(right, x);
            top = std::max(top, y);
        }
    }
    const double bottom = axisPoints + keyRow * static_cast<double>(family.curves.size());
    const FigureSize size{252, topPoints + plotHeight + bottom};
    return DrawFigure(
        stem,
        size,
        [&](Gnuplot& commands)
        {
            commands << "set border 3 lw 0.5\nset key below vertical maxcols 1 left Left reverse "
                        "samplen 2 spacing 0.9\n"
                     << Margins(size, leftPoints, rightPoints, topPoints, bottom)
                     << fmt::format(
                            "set xrange [0:{}]\nset yrange [0:{}]\n", 1.04 * right, 1.08 * top)
                     << "set xtics nomirror out scale 0.6 " << TickStep(right)
                     << "\nset ytics nomirror out scale 0.6 " << TickStep(top)
                     << "\nset grid ytics lw 0.4 lt 1 lc rgb '#dddddd'\n"
                     << "set xlabel " << Quoted(family.xLabel) << " offset 0,0.3\n"
                     << "set ylabel " << Quoted(family.yLabel) << " offset 0.5,0\n";
            std::string separator = "plot ";
            for (std::size_t i = 0; i < family.curves.size(); ++i)
            {
                commands << separator << "'-' with " << (family.hasPoints ? "linespoints" : "lines")
                         << " lw 1 " << (family.hasPoints ? "pt 7 ps 0.4 " : "")
                         << styles[i % std::size(styles)] << " title "
                         << Quoted(family.curves[i].first);
                separator = ", ";
            }
            commands << "\n";
            for (const auto& [name, points] : family.curves)
            {
                commands.send1d(points);
            }
        });
}

} // namespace geotrain
