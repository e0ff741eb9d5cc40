// SPDX-License-Identifier: GPL-2.0-only
// The look of all figures: fonts, line widths, and the colours, dashes and markers of named series.
// A congestion control, schedule or system has the same look in every figure. The colours differ in
// luminance, so that a grey print keeps them apart; dashes and markers tell apart the rest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

constexpr const char* fontName = "DejaVu Sans";
constexpr int fontPoints = 9;      ///< axes and their labels
constexpr int titleFontPoints = 8; ///< titles and legends
constexpr int smallFontPoints = 7; ///< numbers in the plot area

constexpr const char* lineColour = "#0d2f52"; ///< of a single curve, which needs no name
constexpr const char* gridStyle = "lw 0.4 lt 1 lc rgb '#dddddd'";
/// Style of an interval that is drawn from end to end. gnuplot's own error bars would leave a blank
/// spot around their middle.
constexpr const char* intervalStyle = "with vectors heads size graph 0.012,90 dt 1";
constexpr double frameWidth = 0.5; ///< of axes, in gnuplot's units

/// A SeriesStyle is the look of a named series.
struct SeriesStyle
{
    const char* colour;
    int dash;   ///< gnuplot's dash type: 1 is solid
    int marker; ///< gnuplot's point type

    /// Returns gnuplot's options of a line of this look.
    std::string Line() const;

    /// Returns gnuplot's options of a line with markers of this look.
    std::string LineWithMarkers() const;

    /// Returns gnuplot's options of markers without a line.
    std::string Markers() const;
};

/// Number of colours; styles of more series repeat a colour with another dash and marker.
constexpr std::size_t seriesColours = 8;

/// Returns style `slot`: the first `seriesColours` differ in colour, more in dash and marker too.
SeriesStyle StyleOfSlot(std::size_t slot);

/// Returns the styles of the series of one figure, whose `names` all differ. A name that is known,
/// such as "TcpCubic" or "1f1b", has its style in every figure, and one such as "TcpCubic, cold" or "PP 4,
/// median" has the colour of its start. Another one has a style by a hash of the name, or the next one where
/// a series of the figure has that colour or marker already.
std::vector<SeriesStyle> StylesOf(const std::vector<std::string>& names);

/// Returns gnuplot's options of a filled box of `colour` with a thin border.
std::string BoxOf(std::string_view colour);

} // namespace geotrain
