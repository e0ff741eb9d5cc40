// SPDX-License-Identifier: GPL-2.0-only
// What all figures share: size, fonts, colours, and the way from gnuplot commands to a PNG and a
// PDF. Include in figure sources only: gnuplot-iostream.h is large.
#pragma once

#include <gnuplot-iostream.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace geotrain
{

/// In points (1/72 inch). 504 is the text width of a two-column paper.
struct FigureSize
{
    double width = 504;
    double height = 0;
};

constexpr int fontPoints = 9;
constexpr int smallFontPoints = 7;

/// A box as gnuplot's boxxyerror takes it: x, y, left, right, lower, upper.
using Box = std::tuple<double, double, double, double, double, double>;

Box MakeBox(double left, double right, double lower, double upper);

/// A gnuplot string literal of `text`, whatever it holds; control characters become spaces.
std::string Quoted(std::string_view text);

/// `set lmargin` and the like for a plot area that lies this many points inside a figure of `size`.
std::string Margins(FigureSize size, double left, double right, double top, double bottom);

struct LegendEntry
{
    std::string fill; ///< gnuplot's fill style and colour
    std::string title;
    double halfHeight = 4; ///< of the sample, in points
};

/// Entries in rows of `columns` above the plot area, the first row legendRowPoints below the upper
/// edge.
std::string Legend(FigureSize size, std::size_t columns, const std::vector<LegendEntry>& entries);

constexpr double legendRowPoints = 13;

/// The distance of an axis' ticks: 1, 2 or 5 times a power of ten, two to four of which reach
/// `highest`.
double TickStep(double highest);

/// Runs gnuplot on what `plot` writes, once for each terminal, and moves the results to `stem`.png
/// and `stem`.pdf, which are returned. Throws TraceError.
std::vector<std::filesystem::path> DrawFigure(const std::filesystem::path& stem,
                                              FigureSize size,
                                              const std::function<void(Gnuplot&)>& plot);

} // namespace geotrain
