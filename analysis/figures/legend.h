// SPDX-License-Identifier: GPL-2.0-only
// A legend outside the plot area. Its entries flow into as many rows as the page's width asks for,
// so that the same figure has a good legend in one column and in two.
#pragma once

#include "figures/figure-place.h"
#include "figures/style.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A LegendEntry is a sample and its text: a filled box, or a line with or without a marker.
struct LegendEntry
{
    std::string fill; ///< gnuplot's fill style and colour; empty for a line
    std::string title;
    double halfHeight = 4;   ///< half the height of a box, in points
    std::string line = {};   ///< gnuplot's options of the line; empty: none
    std::string marker = {}; ///< gnuplot's options of the marker; empty: none
};

/// Returns the entry of a curve in `style`.
LegendEntry EntryOfLine(const std::string& title, const SeriesStyle& style, bool hasMarkers);

/// A Legend is entries laid out for a width. Texts that are too long for a row are wrapped.
class Legend
{
  public:
    /// Lays out `entries` between `left` and `right`, in points from the edges of a page `width`
    /// wide.
    Legend(std::vector<LegendEntry> entries, double width, double left = 8, double right = 8);

    /// Returns the height of all rows in points; 0 without entries.
    double Height() const;

    /// Returns gnuplot commands that draw the legend with its upper edge `top` points below the
    /// page's title.
    std::string Commands(const FigurePage& page, double top = 2) const;

  private:
    /// A Placed is an entry's place: points from the left, and the row of its first line.
    struct Placed
    {
        LegendEntry entry;
        std::vector<std::string> lines;
        double left = 0;
        std::size_t row = 0;
    };

    std::vector<Placed> m_placed;
    std::size_t m_rows = 0;
};

} // namespace geotrain
