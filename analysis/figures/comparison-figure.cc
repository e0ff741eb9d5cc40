// SPDX-License-Identifier: GPL-2.0-only
#include "figures/comparison-figure.h"

#include "figures/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace geotrain
{

namespace
{

constexpr double leastRowPoints = 34;
constexpr double linePoints = 11;      // of a variant's name
constexpr double sharesTopPoints = 34; // for the legend
constexpr double sharesBottomPoints = 36;
constexpr double panelGapPoints = 16;
constexpr double sharesRightPoints = 14;
constexpr std::size_t lineLength = 26;    // letters of a variant's name before it is wrapped
constexpr double letterPoints = 5.2;      // mean width of a letter at fontPoints
constexpr double barHalf = 0.32;          // half the height of a bar, in rows
constexpr double smallestLabelled = 0.07; // shares below this have no number on them

/// Share is a part of the GPU time and its look: a metric, its title in the legend, and colours.
struct Share
{
    const char* metric;
    const char* title;
    const char* colour;
    const char* textColour;
};

/// Shares of GPU time. Luminance rises from share to share, so that grey prints keep them apart.
constexpr std::array<Share, 6> shares = {{
    {"gpu_utilization", "Training", "#12395c", "white"},                        // L* 23
    {"fill_utilization", "Filling", "#9a5a8c", "white"},                        // L* 46
    {"idle_wan", "Idle: WAN", "#de8f2e", "black"},                              // L* 66
    {"idle_forward_backward", "Idle: forward to backward", "#f0c27b", "black"}, // L* 81
    {"idle_all_reduce", "Idle: all-reduce", "#c9e2f2", "black"},                // L* 88
    {"idle_fill_drain", "Idle: fill and drain", "#fafafa", "black"},            // L* 98
}};

/// Returns the legend's entries, without shares that no variant has.
std::vector<LegendEntry>
LegendEntries(const std::vector<VariantSummary>& variants)
{
    std::vector<LegendEntry> entries;
    for (const auto& share : shares)
    {
        const bool occurs =
            std::any_of(variants.begin(),
                        variants.end(),
                        [&](const auto& variant)
                        { return variant.summary.Find(share.metric).value_or(0) > 0; });
        if (occurs)
        {
            entries.push_back({BoxOf(share.colour), share.title});
        }
    }
    return entries;
}

/// Breaks `name` into lines of about lineLength letters, at spaces and commas where there are some.
std::vector<std::string>
Wrapped(const std::string& name)
{
    std::vector<std::string> lines;
    std::string rest = name;
    while (rest.size() > lineLength)
    {
        const std::size_t space = rest.find_last_of(" ,", lineLength);
        std::size_t cut = space == std::string::npos || space == 0 ? lineLength : space + 1;
        while (cut < rest.size() && (static_cast<unsigned char>(rest[cut]) & 0xc0) == 0x80)
        {
            ++cut; // not inside a UTF-8 letter
        }
        lines.push_back(rest.substr(0, rest[cut - 1] == ' ' ? cut - 1 : cut));
        rest.erase(0, cut);
    }
    lines.push_back(rest);
    return lines;
}

/// Returns gnuplot's labels for the names, one per line of a name, left of the plot area.
std::string
NameLabels(const std::vector<VariantSummary>& variants, double rowPoints)
{
    std::string labels;
    for (std::size_t row = 0; row < variants.size(); ++row)
    {
        const auto lines = Wrapped(variants[row].variant);
        for (std::size_t line = 0; line < lines.size(); ++line)
        {
            const double offset =
                (static_cast<double>(line) - 0.5 * static_cast<double>(lines.size() - 1)) *
                linePoints / rowPoints;
            labels += fmt::format("set label {} at graph 0, first {} right offset -1,0\n",
                                  Quoted(lines[line]),
                                  static_cast<double>(row) + offset);
        }
    }
    return labels;
}

/// NameSize is the room that the names take, in points.
struct NameSize
{
    double width = 0;
    double height = 0; ///< height of the name with the most lines
};

NameSize
SizeOfNames(const std::vector<VariantSummary>& variants)
{
    NameSize size;
    for (const auto& variant : variants)
    {
        const auto lines = Wrapped(variant.variant);
        size.height = std::max(size.height, linePoints * static_cast<double>(lines.size()));
        for (const auto& line : lines)
        {
            size.width = std::max(size.width, letterPoints * static_cast<double>(line.size()));
        }
    }
    return size;
}

void
PlotTimes(FigureScript& commands, const std::vector<VariantSummary>& variants)
{
    FigureTable table{{}, {"variant", "row", "iteration_time_s"}};
    double longest = 0;
    for (std::size_t row = 0; row < variants.size(); ++row)
    {
        const double seconds = variants[row].summary.Find("iteration_time").value_or(0);
        const double y = static_cast<double>(row);
        table.rows.push_back({variants[row].variant, y, seconds});
        longest = std::max(longest, seconds);
        commands << fmt::format(
            "set label '{:.3g}' at first {}, first {} left offset 0.5,0 font ',{}'\n",
            seconds,
            seconds,
            y,
            smallFontPoints);
    }
    commands << fmt::format("set xrange [0:{}]\nset xlabel 'Iteration time (s)' offset 0,0.3\n",
                            1.22 * longest)
             << "set xtics " << TickStep(longest) << "\nplot " << commands.Add(table)
             << fmt::format(" using 3:2:(0):3:($2-{0}):($2+{0}) with boxxyerror {1}\n",
                            barHalf,
                            BoxOf("#8a8a8a"));
}

void
PlotShares(FigureScript& commands, const std::vector<VariantSummary>& variants)
{
    std::vector<double> filled(variants.size());
    std::string plot = "plot ";
    for (const auto& share : shares)
    {
        FigureTable table{{{"share", share.title}},
                          {"variant", "row", "from_percent", "to_percent"}};
        for (std::size_t row = 0; row < variants.size(); ++row)
        {
            const double percent = 100 * variants[row].summary.Find(share.metric).value_or(0);
            const double y = static_cast<double>(row);
            if (percent <= 0)
            {
                continue;
            }
            table.rows.push_back(
                {variants[row].variant, y, filled[row], filled[row] + percent});
            if (percent >= 100 * smallestLabelled)
            {
                commands << fmt::format(
                    "set label '{:.0f}' at first {}, first {} center front font ',{}' "
                    "tc rgb '{}'\n",
                    percent,
                    filled[row] + percent / 2,
                    y,
                    smallFontPoints,
                    share.textColour);
            }
            filled[row] += percent;
        }
        if (!table.rows.empty())
        {
            plot += fmt::format("{}{} using 3:2:3:4:($2-{}):($2+{}) with boxxyerror {}",
                                plot.size() == 5 ? "" : ", ",
                                commands.Add(table),
                                barHalf,
                                barHalf,
                                BoxOf(share.colour));
        }
    }
    commands << "set xrange [0:100]\nset xtics 25\nset xlabel 'Share of allocated GPU time (%)' "
                "offset 0,0.3\n"
             << plot << "\n";
}

} // namespace

std::vector<std::filesystem::path>
DrawComparison(const std::vector<VariantSummary>& variants, const FigurePlace& place)
{
    const NameSize names = SizeOfNames(variants);
    const double rowPoints = std::max(leastRowPoints, names.height + 6);
    const FigurePage page = place.Page(
        twoColumnPoints,
        sharesTopPoints + rowPoints * static_cast<double>(variants.size()) + sharesBottomPoints);
    const double left = names.width + 16;
    const double panels = page.width - left - panelGapPoints - sharesRightPoints;
    const double split = 0.36 * panels; // the width of the times; the shares have the rest
    return DrawFigure(place,
                      page,
                      [&](FigureScript& commands)
                      {
                          commands
                              << "set multiplot\nset border 3 lw 0.5\nset xtics nomirror out scale "
                                 "0.6\nunset ytics\n"
                              << fmt::format("set yrange [{}:-0.5]\nunset key\n",
                                             static_cast<double>(variants.size()) - 0.5)
                              << Margins(page,
                                         left,
                                         page.width - left - split,
                                         sharesTopPoints,
                                         sharesBottomPoints)
                              << NameLabels(variants, rowPoints);
                          PlotTimes(commands, variants);
                          commands << "unset label\n"
                                   << Margins(page,
                                              left + split + panelGapPoints,
                                              sharesRightPoints,
                                              sharesTopPoints,
                                              sharesBottomPoints)
                                   << Legend(LegendEntries(variants), page.width, left).Commands(page);
                          PlotShares(commands, variants);
                          commands << "unset multiplot\n";
                      });
}

} // namespace geotrain
