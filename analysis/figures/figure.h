// SPDX-License-Identifier: GPL-2.0-only
// The one way to draw a figure. A figure NAME is NAME.png, NAME.pdf and NAME.svg, its data
// NAME.csv, and NAME.gp, a gnuplot script that holds the data too and draws the pictures again on
// its own.
//
//   std::vector<std::filesystem::path> DrawSpeed(const Speeds& speeds, const FigurePlace& place)
//   {
//       const FigurePage page = place.Page(oneColumnPoints, 170, "Speed on a track");
//       return DrawFigure(place, page, [&](FigureScript& script) {
//           const auto data = script.Add({{{"car", "red"}}, {"time_s", "speed_mps"}, rows});
//           script << Margins(page, 40, 10, 8, 34) << Frame()
//                  << "set xlabel 'Time (s)'\nplot " << data << " using 1:2 with lines\n";
//       });
//   }
//
// Texts go through Quoted(), without exception: a name that reached gnuplot as a command could run
// a program, even years later when someone runs the .gp file.
#pragma once

#include "figures/figure-place.h"
#include "figures/figure-script.h"
#include "figures/legend.h"
#include "figures/style.h"
#include "figures/text-lines.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// Panels are plot areas of one size in rows and columns. Distances are in points.
struct Panels
{
    std::size_t rows = 1;
    std::size_t columns = 1;
    double left = 0; ///< from the page's edges, and from the title
    double right = 0;
    double top = 0;
    double bottom = 0;
    double columnGap = 0;
    double rowGap = 0;
};

/// Returns gnuplot's `set lmargin`, `rmargin`, `tmargin` and `bmargin` for a plot area that lies
/// this many points inside the page's edges and below its title.
std::string Margins(const FigurePage& page, double left, double right, double top, double bottom);

/// Returns gnuplot commands for axes at the left and below, with ticks outside and no key.
std::string Frame();

/// Returns gnuplot's `set xtics` or `set ytics` for names at 0, 1 and so on.
std::string NamedTics(const char* axis, const std::vector<std::string>& names);

/// Returns the distance between the ticks of an axis that reaches `highest`: 1, 2 or 5 times a
/// power of ten, so that two to four ticks fit.
double TickStep(double highest);

/// Returns whether numbers from `low` to `high` span a decade, all of them positive.
inline bool
SpanADecade(double low, double high)
{
    return low > 0 && high >= 10 * low;
}

/// Returns gnuplot's commands for the logarithmic axis `axis`, "x" or "y", which reaches a little beyond
/// `low` > 0 and `high`. Below two decades it has ticks at 1, 2 and 5 times powers of ten.
std::string LogAxis(const std::string& axis, double low, double high);

/// Calls `plot` once for the commands and the data of the figure at `place`, writes its .csv and
/// .gp, and has gnuplot draw each of the place's formats. Returns all files; nothing where the user
/// did not choose this figure. Each `plot` command takes the next of the panels, row by row. Throws
/// TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawFigure(const FigurePlace& place,
                                              const FigurePage& page,
                                              const std::function<void(FigureScript&)>& plot,
                                              const std::optional<Panels>& panels = {});

} // namespace geotrain
