// SPDX-License-Identifier: GPL-2.0-only
// Holds what all figures share: sizes, fonts, legends, and the way from gnuplot commands to a PNG
// and a PDF. Only sources of figures should include it, since gnuplot-iostream.h is large.
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

/// A FigureSize is in points (1/72 inch). 504 is the text width of a two-column paper.
struct FigureSize
{
    double width = 504;
    double height = 0;
};

constexpr int fontPoints = 9;
constexpr int smallFontPoints = 7;
constexpr const char* lineColour = "#123f66"; ///< of a single curve

/// A Box is what gnuplot's boxxyerror takes: x, y, left, right, lower, upper.
using Box = std::tuple<double, double, double, double, double, double>;

/// Returns the box with these edges; its x and y are its middle.
Box MakeBox(double left, double right, double lower, double upper);

/// Returns `text` as a gnuplot string literal; control characters become spaces.
std::string Quoted(std::string_view text);

/// Returns gnuplot's `set lmargin`, `rmargin`, `tmargin` and `bmargin` for a plot area that lies
/// this many points inside the edges of a figure of `size`.
std::string Margins(FigureSize size, double left, double right, double top, double bottom);

/// A LegendEntry is a coloured sample and its text.
struct LegendEntry
{
    std::string fill; ///< gnuplot's fill style and colour
    std::string title;
    double halfHeight = 4; ///< half the height of the sample, in points
};

/// Returns gnuplot commands that draw the entries above the plot area, `columns` per row.
std::string Legend(FigureSize size, std::size_t columns, const std::vector<LegendEntry>& entries);

constexpr double legendRowPoints = 13; ///< height of a legend's row, in points

/// Returns the distance between the ticks of an axis that reaches `highest`: 1, 2 or 5 times a
/// power of ten, so that two to four ticks fit.
double TickStep(double highest);

/// Runs gnuplot on what `plot` writes, once per terminal, and moves the results to `stem`.png and
/// `stem`.pdf, which are returned. Throws TraceError when gnuplot is missing or fails, or when a
/// file can't be written.
std::vector<std::filesystem::path> DrawFigure(const std::filesystem::path& stem,
                                              FigureSize size,
                                              const std::function<void(Gnuplot&)>& plot);

} // namespace geotrain
