// SPDX-License-Identifier: GPL-2.0-only
#include "figures/comparison-figure.h"

#include "figures/figure-files.h"
#include "figures/figure.h"
#include "figures/metric-points.h"
#include "metrics/mean-text.h"
#include "metrics/metric-names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace geotrain
{

namespace
{

constexpr double pagePoints = 570; // for the rows: a page of text is 650 high
constexpr double barPoints = 15;   // height of a bar
constexpr double rowGapPoints = 9; // between bars, or between a bar and the next name
constexpr double namePoints = 11;  // of a name's line
constexpr double rowsBottomPoints = 36;
constexpr double panelGapPoints = 16;
constexpr double rowsRightPoints = 14;
constexpr double leastSideBySide = 380; // a narrower page has the names above the bars
constexpr double smallestLabelled = 18; // points of a share's box that has its number on it
constexpr int barDigits = 3;            // significant ones of a bar's number
constexpr double numberHalfPoints = 6;  // half the width of a share's number, with its margin

/// Share is a part of the GPU time and its look: a metric, its title in the legend, and colours.
struct Share
{
    const char* metric;
    const char* title;
    const char* colour;
    const char* textColour;
};

constexpr std::string_view wholeOfWan = "idle_wan";

/// Shares of GPU time. Neighbours differ in luminance, so that grey prints keep them apart. The
/// WAN's parts are orange, waits for others' compute are grey.
constexpr std::array<Share, 13> shares = {{
    {"gpu_utilization", "Training", "#12395c", "white"},                         // L* 23
    {"fill_utilization", "Prefills and fill jobs", "#9a5a8c", "white"},          // L* 46
    {"idle_wan_turn", "Idle: WAN, turn", "#8c4a0e", "white"},                    // L* 38
    {"idle_wan_congestion", "Idle: WAN, queues and losses", "#a85d10", "white"}, // L* 46
    {"idle_wan_window", "Idle: WAN, window", "#cc7a1c", "black"},                // L* 58
    {"idle_wan_serialisation", "Idle: WAN, serialisation", "#de8f2e", "black"},  // L* 66
    {"idle_wan_propagation", "Idle: WAN, propagation", "#f0b96a", "black"},      // L* 79
    {"idle_wan", "Idle: WAN", "#de8f2e", "black"},                               // L* 66
    {"idle_local", "Idle: inside a data centre", "#8fbf8a", "black"},            // L* 73
    {"idle_all_reduce", "Idle: all-reduce", "#c9e2f2", "black"},                 // L* 88
    {"idle_imbalance", "Idle: imbalance", "#bdbdbd", "black"},                   // L* 77
    {"idle_forward_backward", "Idle: forward to backward", "#dcdcdc", "black"},  // L* 88
    {"idle_fill_drain", "Idle: fill and drain", "#fafafa", "black"},             // L* 98
}};

/// Returns the metric of a share. That of the whole of the WAN is 0 where its parts are known.
Metric
ShareIn(const Summary& summary, const Share& share)
{
    const bool isInParts =
        share.metric == wholeOfWan && summary.Find("idle_wan_propagation").has_value();
    return isInParts ? Metric{} : MetricIn(summary, share.metric);
}

/// A BarMetric is a metric that has a bar of its own.
struct BarMetric
{
    const char* metric;
    const char* label;
    const char* shortLabel; ///< where the panel is narrow
    double factor;          ///< from the metric to the label's unit
    const char* colour;
};

constexpr BarMetric iterationTimeBar = {
    "iteration_time", "Iteration time (s)", "Time (s)", 1, "#8a8a8a"};
constexpr BarMetric completionTimeBar = {
    "completion_time_p50", "Median completion time (s)", "Median (s)", 1, "#8a8a8a"};
constexpr BarMetric goodputBar = {
    "goodput_over_capacity", "Goodput (% of capacity)", "Goodput (%)", 100, "#2f7fb8"};

constexpr BarMetric queueBar = {
    "queue_delay_p95", "95 % of queueing delays (ms)", "Queue (ms)", 1000, "#8a8a8a"};

/// Returns the metric of the first bars: a time of training or of messages, or, in runs of steady
/// flows alone, what packets wait.
const BarMetric&
MainBarOf(const Summary& summary)
{
    return !summary.header.has_transfers()          ? iterationTimeBar
           : summary.Find(completionTimeBar.metric) ? completionTimeBar
           : summary.Find(queueBar.metric)          ? queueBar
                                                    : completionTimeBar;
}

/// A BarScale is what the bars of all pages reach.
struct BarScale
{
    double lowest = 0;  ///< of their ends
    double highest = 1; ///< of their ends and intervals; 1 where all are 0
    bool isLog = false; ///< points on a logarithmic axis instead of bars, which have no start there
};

/// Returns the scale of the metric's bars. `log` is a user's choice of the axis.
BarScale
ScaleOf(const std::vector<VariantSummary>& variants, const BarMetric& bar, std::optional<bool> log)
{
    BarScale scale{INFINITY, 0};
    for (const auto& variant : variants)
    {
        const Metric metric = MetricIn(variant.summary, bar.metric);
        scale.lowest = std::min(scale.lowest, bar.factor * metric.value);
        scale.highest = std::max(scale.highest, bar.factor * (metric.value + metric.halfWidth));
    }
    scale.isLog = scale.lowest > 0 && log.value_or(SpanADecade(scale.lowest, scale.highest));
    scale.highest = scale.highest > 0 ? scale.highest : 1;
    return scale;
}

/// RowsPage is the layout of one page and the scale that its pages share.
struct RowsPage
{
    std::vector<VariantSummary> variants; ///< from top to bottom
    bool ofTraining = true;
    BarScale scale;                              ///< of the left panel, on all pages
    bool namesAbove = false;                     ///< the bars; else left of them
    double left = 0;                             ///< edge of the left panel, in points
    double split = 0;                            ///< width of the left panel
    double rowPoints = 0;                        ///< distance of two rows
    double barHalf = 0;                          ///< half the height of a bar, in rows
    std::vector<std::vector<std::string>> names; ///< lines, by variant

    double Rows() const
    {
        return static_cast<double>(variants.size());
    }
};

/// Sets the layout for a page `width` points wide.
void
LayOut(RowsPage& page, double width)
{
    page.namesAbove = width < leastSideBySide;
    const double room = page.namesAbove ? width - 20 : 0.34 * width;
    std::size_t most = 1;
    double widest = 0;
    for (const auto& variant : page.variants)
    {
        page.names.push_back(WrappedText(TitleOf(variant), titleFontPoints, room));
        most = std::max(most, page.names.back().size());
        widest = std::max(widest, WidestOf(page.names.back(), titleFontPoints));
    }
    const double lines = namePoints * static_cast<double>(most);
    page.rowPoints =
        rowGapPoints + (page.namesAbove ? barPoints + lines : std::max(barPoints, lines));
    page.barHalf = barPoints / 2 / page.rowPoints;
    page.left = page.namesAbove ? 12 : widest + 14;
    page.split = 0.36 * (width - page.left - panelGapPoints - rowsRightPoints);
}

/// Returns gnuplot commands for the names: ticks beside the bars, or labels above them.
std::string
NamesOf(const RowsPage& page)
{
    std::string labels;
    std::vector<std::string> tics;
    for (std::size_t row = 0; row < page.names.size(); ++row)
    {
        const auto text = QuotedLines(page.names[row]);
        const double above =
            barPoints / 2 + namePoints * (static_cast<double>(page.names[row].size()) - 0.4);
        tics.push_back(fmt::format("{} {}", text, row));
        labels += fmt::format("set label {} at graph 0, first {:.4f} left font ',{}'\n",
                              text,
                              static_cast<double>(row) - above / page.rowPoints,
                              titleFontPoints);
    }
    return page.namesAbove ? labels
                           : fmt::format("set ytics scale 0 font ',{}' ({})\n",
                                         titleFontPoints,
                                         fmt::join(tics, ", "));
}

/// Returns the number of a bar, behind its interval. A bar that is longer than the axis has it inside.
std::string
NumberAt(double value, double end, double right, std::size_t row)
{
    const bool isLonger = end > right;
    return fmt::format("set label '{}' at first {}, first {} {} front font ',{}' tc rgb '{}'\n",
                       isLonger ? fmt::format("{:.0f} >", value)
                                : TextOfMean(value, 0, barDigits).mean,
                       isLonger ? right : end,
                       row,
                       isLonger ? "right offset -0.5,0" : "left offset 0.5,0",
                       smallFontPoints,
                       isLonger ? "white" : "black");
}

/// Plots bars of `bar`, or points where `log` is set, with their intervals and numbers, on an axis that
/// ends at `right`.
void
PlotBars(FigureScript& script, const RowsPage& page, const BarMetric& bar, double right, bool log)
{
    const std::string column = ColumnNameOf(bar.label);
    FigureTable table{{}, {"variant", "row", column, column + "_ci95"}};
    const double most = bar.factor * LargestOf(bar.metric); // intervals end there too
    bool hasIntervals = false;
    for (std::size_t row = 0; row < page.variants.size(); ++row)
    {
        const Metric metric = MetricIn(page.variants[row].summary, bar.metric);
        const double value = metric.value * bar.factor;
        const double halfWidth = metric.halfWidth * bar.factor;
        hasIntervals = hasIntervals || halfWidth > 0;
        table.rows.push_back(
            {TitleOf(page.variants[row]), static_cast<double>(row), value, halfWidth});
        const double end = std::min(value + halfWidth, std::max(value, most));
        script << NumberAt(value, log ? 1.08 * end : end, right, row); // beside a point
    }
    const auto data = script.Add(std::move(table));
    script << (log ? LogAxis("x", page.scale.lowest, right)
                   : fmt::format("set xrange [0:{}]\nset xtics {}\n", right, TickStep(right)))
           << fmt::format("set xlabel {} offset 0,0.3\n",
                          Quoted(page.namesAbove ? bar.shortLabel : bar.label))
           << (log ? fmt::format("plot {} using 3:2 with points pt 7 ps 0.9 lc rgb '{}'",
                                 data,
                                 shares.front().colour)
                   : fmt::format("plot {0} using 3:2:(0):3:($2-{1}):($2+{1}) with boxxyerror {2}",
                                 data,
                                 page.barHalf,
                                 BoxOf(bar.colour)));
    if (hasIntervals)
    {
        const auto length = std::isfinite(most)
                                ? fmt::format("($3+$4<{0}?2*$4:$3>{0}?$4:{0}-$3+$4)", most)
                                : std::string("(2*$4)");
        script << fmt::format(
            ", {} using ($3-$4):2:{}:(0) {} lw 0.8 lc rgb 'black'", data, length, intervalStyle);
    }
    script << "\n";
}

/// Returns a share's boxes, which begin where the rows are `filled`, and fills the rows.
FigureTable
StackShare(const RowsPage& page, const Share& share, std::vector<double>& filled)
{
    FigureTable table{{{"share", share.title}},
                      {"variant", "row", "from_percent", "to_percent", "share_percent_ci95"}};
    for (std::size_t row = 0; row < page.variants.size(); ++row)
    {
        const Metric metric = ShareIn(page.variants[row].summary, share);
        const double percent = 100 * metric.value;
        if (percent > 0)
        {
            table.rows.push_back({TitleOf(page.variants[row]),
                                  static_cast<double>(row),
                                  filled[row],
                                  filled[row] + percent,
                                  100 * metric.halfWidth});
            filled[row] += percent;
        }
    }
    return table;
}

/// Returns the total of training and fillers in percent, with its interval, by row: each bar's only one.
std::vector<Metric>
TotalsOf(const RowsPage& page)
{
    std::vector<Metric> totals;
    for (const auto& variant : page.variants)
    {
        const auto& summary = variant.summary;
        const bool isFilled = summary.Find("total_utilization").has_value();
        auto total = MetricIn(summary, isFilled ? "total_utilization" : shares.front().metric);
        total.value *= 100;
        total.halfWidth *= 100;
        totals.push_back(total);
    }
    return totals;
}

/// Returns the labels of the boxes that have room for a number beside the interval of their row.
std::string
NumbersIn(const FigureTable& table,
          const Share& share,
          double pointsPerPercent,
          const std::vector<Metric>& totals)
{
    const double half = numberHalfPoints / pointsPerPercent;
    std::string labels;
    for (const auto& row : table.rows)
    {
        const double from = std::get<double>(row[2]);
        const double to = std::get<double>(row[3]);
        const Metric& total = totals[static_cast<std::size_t>(std::get<double>(row[1]))];
        const double low = total.value - total.halfWidth;
        const double high = total.value + total.halfWidth;
        const bool isBefore = (from + to) / 2 < total.value;
        const double first = (isBefore ? from : std::max(from, high)) + half;
        const double last = (isBefore ? std::min(to, low) : to) - half;
        if ((to - from) * pointsPerPercent >= smallestLabelled && first <= last)
        {
            labels += fmt::format("set label '{:.0f}' at first {}, first {} center front "
                                  "font ',{}' tc rgb '{}'\n",
                                  to - from,
                                  std::clamp((from + to) / 2, first, last),
                                  std::get<double>(row[1]),
                                  smallFontPoints,
                                  share.textColour);
        }
    }
    return labels;
}

/// Plots the shares of GPU time as stacked bars, and the interval of training and fillers together.
void
PlotShares(FigureScript& script, const RowsPage& page, const Legend& legend, double panelPoints)
{
    std::vector<double> filled(page.variants.size());
    const auto totals = TotalsOf(page);
    std::vector<std::string> plots;
    for (const auto& share : shares)
    {
        auto table = StackShare(page, share, filled);
        if (table.rows.empty())
        {
            continue;
        }
        script << NumbersIn(table, share, panelPoints / 100, totals);
        const auto data = script.Add(std::move(table));
        plots.push_back(fmt::format("{0} using 3:2:3:4:($2-{1}):($2+{1}) with boxxyerror {2}{3}",
                                    data,
                                    page.barHalf,
                                    BoxOf(share.colour),
                                    legend.Title(share.title)));
    }
    FigureTable intervals{{}, {"variant", "row", "total_percent", "total_percent_ci95"}};
    for (std::size_t row = 0; row < totals.size(); ++row)
    {
        if (totals[row].halfWidth > 0)
        {
            intervals.rows.push_back({TitleOf(page.variants[row]),
                                      static_cast<double>(row),
                                      totals[row].value,
                                      totals[row].halfWidth});
        }
    }
    if (!intervals.rows.empty())
    {
        plots.push_back(fmt::format("{0} using ($3-$4):2:(2*$4):(0) {1} lw 2 lc rgb 'white', "
                                    "{0} using ($3-$4):2:(2*$4):(0) {1} lw 0.8 lc rgb 'black'",
                                    script.Add(std::move(intervals)),
                                    intervalStyle));
    }
    const char* label =
        page.namesAbove ? "Share of GPU time (%)" : "Share of allocated GPU time (%)";
    script << "set xrange [0:100]\nset xtics 25\nset xlabel " << Quoted(label) << " offset 0,0.3\n"
           << fmt::format("plot {}\n",
                          plots.empty() ? "NaN" : fmt::to_string(fmt::join(plots, ", ")));
}

/// Returns the titles of the shares that some variant has; none of runs that are not of training.
std::vector<std::string>
ShareTitles(const RowsPage& page)
{
    std::vector<std::string> titles;
    for (const auto& share : shares)
    {
        const bool occurs = std::any_of(page.variants.begin(),
                                        page.variants.end(),
                                        [&](const auto& variant)
                                        { return ShareIn(variant.summary, share).value > 0; });
        if (page.ofTraining && occurs)
        {
            titles.push_back(share.title);
        }
    }
    return titles;
}

Files
DrawRows(const RowsPage& rows, const FigurePlace& place, const std::string& title)
{
    const double width = place.Width(twoColumnPoints);
    const Legend legend(ShareTitles(rows), width);
    const double top = 8 + legend.Height();
    const FigurePage page =
        place.Page(twoColumnPoints, top + rows.rowPoints * rows.Rows() + rowsBottomPoints, title);
    const double secondLeft = rows.left + rows.split + panelGapPoints;
    return DrawFigure(
        place,
        page,
        [&](FigureScript& script)
        {
            // The row's names stand above its bar, so that the axis leaves room there.
            const double above = rows.namesAbove ? 1 - rows.barHalf - 3 / rows.rowPoints : 0.5;
            script << Frame() << "unset grid\nset grid xtics " << gridStyle << "\nunset ytics\n"
                   << fmt::format("set yrange [{:.4f}:{:.4f}]\n", rows.Rows() - above, -above)
                   << Margins(
                          page, rows.left, width - rows.left - rows.split, top, rowsBottomPoints)
                   << NamesOf(rows);
            const double room = rows.split > 100 ? 1.25 : 1.45; // for the numbers behind the bars
            const double span = rows.scale.highest / rows.scale.lowest;
            PlotBars(script,
                     rows,
                     MainBarOf(rows.variants.front().summary),
                     rows.scale.highest * (rows.scale.isLog ? std::pow(span, room - 1) : room),
                     rows.scale.isLog);
            script << (rows.scale.isLog ? "unset logscale x\n" : "") << "unset label\nunset ytics\n"
                   << Margins(page, secondLeft, rowsRightPoints, top, rowsBottomPoints)
                   << legend.Commands(page);
            if (rows.ofTraining)
            {
                PlotShares(script, rows, legend, width - secondLeft - rowsRightPoints);
            }
            else
            {
                PlotBars(script, rows, goodputBar, 115, false);
            }
        });
}

} // namespace

std::vector<std::filesystem::path>
DrawComparison(const std::vector<VariantSummary>& variants, const FigurePlace& place)
{
    const bool ofTraining = !variants.front().summary.header.has_transfers();
    const auto scale = ScaleOf(variants, MainBarOf(variants.front().summary), place.LogAxes());
    RowsPage all;
    all.variants = variants;
    LayOut(all, place.Width(twoColumnPoints));
    const auto rowsOfPage = static_cast<std::size_t>(std::max(1.0, pagePoints / all.rowPoints));
    const std::size_t pages = (variants.size() + rowsOfPage - 1) / rowsOfPage;
    Files files;
    for (std::size_t number = 1; number <= pages; ++number)
    {
        const auto first = (number - 1) * rowsOfPage;
        const auto last = std::min(first + rowsOfPage, variants.size());
        RowsPage rows;
        rows.ofTraining = ofTraining;
        rows.scale = scale;
        rows.variants.assign(variants.begin() + static_cast<std::ptrdiff_t>(first),
                             variants.begin() + static_cast<std::ptrdiff_t>(last));
        LayOut(rows, place.Width(twoColumnPoints));
        const std::string title =
            pages > 1 ? fmt::format("Variants {} to {} of {}", first + 1, last, variants.size())
                      : "";
        Append(files, DrawRows(rows, place.Numbered(number), title));
    }
    return files;
}

} // namespace geotrain
