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
#include <string>
#include <vector>

namespace geotrain
{

/// Returns gnuplot's `set lmargin`, `rmargin`, `tmargin` and `bmargin` for a plot area that lies
/// this many points inside the page's edges and below its title.
std::string Margins(const FigurePage& page, double left, double right, double top, double bottom);

/// Returns gnuplot commands that take the title away. The first panel of a multiplot draws it; the
/// others would draw it again on top.
std::string WithoutTitle(const FigurePage& page);

/// Returns gnuplot commands that write the name of the y axis at the page's left edge, at the same
/// place in all formats; an empty name takes the one before away.
std::string YLabel(const FigurePage& page, const std::string& name);

/// As YLabel(), for a name in lines, of which the first is at the edge.
std::string YLabelInLines(const FigurePage& page, const std::vector<std::string>& lines);

constexpr double labelLinePoints = 11; ///< of an axis label's line

/// Returns gnuplot commands for axes at the left and below, with ticks outside and no key.
std::string Frame();

/// Returns the distance between the ticks of an axis that reaches `highest`: 1, 2 or 5 times a
/// power of ten, so that two to four ticks fit.
double TickStep(double highest);

/// Calls `plot` once for the commands and the data of the figure at `place`, writes its .csv and
/// .gp, and has gnuplot draw each of the place's formats. Returns all files; nothing where the user
/// did not choose this figure. Throws TraceError when gnuplot is missing or fails, or when a file
/// can't be written.
std::vector<std::filesystem::path> DrawFigure(const FigurePlace& place,
                                              const FigurePage& page,
                                              const std::function<void(FigureScript&)>& plot);

} // namespace geotrain
