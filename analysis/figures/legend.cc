// SPDX-License-Identifier: GPL-2.0-only
#include "figures/legend.h"

#include "figures/figure-script.h"
#include "figures/text-lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr double legendRowPoints = 12;
constexpr double boxSample = 11;  // width of a box's sample, in points
constexpr double lineSample = 20; // width of a line's sample
constexpr double sampleGap = 4;   // between the sample and the text
constexpr double entryGap = 12;   // between two entries

double
SampleWidth(const LegendEntry& entry)
{
    return (entry.line.empty() ? boxSample : lineSample) + sampleGap;
}

/// Returns the commands of a sample that starts at `left` and has its middle `top` points below the
/// page's title.
std::string
Sample(const LegendEntry& entry, const FigurePage& page, double left, double top)
{
    std::string sample;
    if (!entry.fill.empty())
    {
        sample += fmt::format(
            "set object rectangle from screen {}, screen {} to screen {}, screen {} {}\n",
            page.FromLeft(left),
            page.FromTop(top + entry.halfHeight),
            page.FromLeft(left + boxSample),
            page.FromTop(top - entry.halfHeight),
            entry.fill);
    }
    if (!entry.line.empty())
    {
        sample += fmt::format(
            "set arrow from screen {0}, screen {1} to screen {2}, screen {1} nohead {3}\n",
            page.FromLeft(left),
            page.FromTop(top),
            page.FromLeft(left + lineSample),
            entry.line);
    }
    if (!entry.marker.empty())
    {
        const double width = entry.line.empty() ? boxSample : lineSample;
        sample += fmt::format("set label '' at screen {}, screen {} point {}\n",
                              page.FromLeft(left + width / 2),
                              page.FromTop(top),
                              entry.marker);
    }
    return sample;
}

} // namespace

LegendEntry
EntryOfLine(const std::string& title, const SeriesStyle& style, bool hasMarkers)
{
    return {"", title, 0, style.Line(), hasMarkers ? style.Markers() : ""};
}

Legend::Legend(std::vector<LegendEntry> entries, double width, double left, double right)
{
    const double room = width - left - right;
    double x = left;
    std::size_t lowest = 0; // row below the entries placed so far
    for (auto& entry : entries)
    {
        Placed placed{
            entry, WrappedText(entry.title, titleFontPoints, room - SampleWidth(entry)), x, m_rows};
        double text = 0;
        for (const auto& line : placed.lines)
        {
            text = std::max(text, TextWidth(line, titleFontPoints));
        }
        const double taken = SampleWidth(entry) + text;
        if (x > left && x + taken > width - right)
        {
            m_rows = lowest;
            placed.row = m_rows;
            placed.left = left;
            x = left;
        }
        x += taken + entryGap;
        lowest = std::max(lowest, placed.row + std::max<std::size_t>(1, placed.lines.size()));
        m_placed.push_back(std::move(placed));
    }
    m_rows = lowest;
}

double
Legend::Height() const
{
    return legendRowPoints * static_cast<double>(m_rows);
}

std::string
Legend::Commands(const FigurePage& page, double top) const
{
    std::string commands;
    for (const auto& placed : m_placed)
    {
        const auto middleOf = [&](std::size_t line)
        { return top + legendRowPoints * (static_cast<double>(placed.row + line) + 0.5); };
        commands += Sample(placed.entry, page, placed.left, middleOf(0));
        for (std::size_t line = 0; line < placed.lines.size(); ++line)
        {
            commands += fmt::format("set label {} at screen {}, screen {} left font ',{}'\n",
                                    Quoted(placed.lines[line]),
                                    page.FromLeft(placed.left + SampleWidth(placed.entry)),
                                    page.FromTop(middleOf(line)),
                                    titleFontPoints);
        }
    }
    return commands;
}

} // namespace geotrain
