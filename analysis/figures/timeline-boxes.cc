// SPDX-License-Identifier: GPL-2.0-only
#include "figures/timeline-boxes.h"

#include "figures/time-axis.h"
#include "metrics/critical-path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace geotrain
{

namespace
{

constexpr double barHeight = 0.76; // height of a bar, in rows
constexpr double collectiveHeight = 0.3;
constexpr double pathHeight = 0.12;                        // of the critical path, between two bars
constexpr double pathBelow = (barHeight + pathHeight) / 2; // middle of the row to its middle
constexpr double streamHeight = 0.2;                       // of a line in the bar
constexpr double streamBelow = 0.24;                       // middle of the row to that of the line
constexpr double borderedPoints = 2; // a border would hide boxes that are narrower
constexpr double borderedRowPoints = 8;
constexpr int numberFontPoints = 6;
constexpr double digitPoints = 0.64 * numberFontPoints; // width of a digit
constexpr double numberedRowPoints = 8.5;               // rows that are less high have no numbers

/// Look says how a layer is drawn.
struct Look
{
    const char* title;
    const char* colour;
    const char* numberColour = nullptr; ///< of microbatches' numbers; null: none
};

/// Returns the look of a layer. All-reduces and the critical path are told from others by their
/// height, prefills from backward by their hue.
const Look&
LookOf(TimelineLayer layer)
{
    static constexpr std::array<Look, 12> looks = {{
        {"Idle", "#efefef"},                     // L* 94
        {"All-reduce", "#5b7f5e"},               // L* 50
        {"Forward", "#a8d5f0", "black"},         // L* 83
        {"Recomputation", "#eda63f", "black"},   // L* 73
        {"Backward", "#2f7fb8", "white"},        // L* 51
        {"Weight gradient", "#7a2f6c", "white"}, // L* 32
        {"Optimiser step", "#1a1a1a"},           // L* 9
        {"Prefill", "#c2559d"},                  // L* 52
        {"Fill job", "#8a8a2a"},                 // L* 56
        {"Parameters come", "#e8d21d"},          // L* 84
        {"Gradients go", "#5b7f5e"},             // L* 50
        {"Critical path", "#c0281e"},            // L* 42
    }};
    return looks[static_cast<std::size_t>(layer)];
}

TimelineLayer
LayerOf(trace::GpuWork kind)
{
    switch (kind)
    {
    case trace::GPU_WORK_FORWARD:
        return TimelineLayer::Forward;
    case trace::GPU_WORK_RECOMPUTE:
        return TimelineLayer::Recomputation;
    case trace::GPU_WORK_BACKWARD:
        return TimelineLayer::Backward;
    case trace::GPU_WORK_WEIGHT_GRADIENT:
        return TimelineLayer::WeightGradient;
    default:
        return TimelineLayer::OptimizerStep;
    }
}

/// Returns the labels of a header above a plot of this width. A long text leaves room for that at the
/// right.
std::string
HeaderLabels(const TimelineFrame::Header& header, double points)
{
    constexpr double gap = 8;
    const double right = header.right.empty() ? 0 : TextWidth(header.right, titleFontPoints) + gap;
    std::string labels = fmt::format("set label {} at graph 0, first {} left\n",
                                     Quoted(Shortened(header.text, fontPoints, points - right)),
                                     header.middle);
    if (!header.right.empty())
    {
        labels += fmt::format("set label {} at graph 1, first {} right font ',{}'\n",
                              Quoted(header.right),
                              header.middle,
                              titleFontPoints);
    }
    return labels;
}

} // namespace

void
TimelineBoxes::Add(const RunTally& tally, const TimelineLayout& layout, MeasuredSpan window)
{
    m_window = window;
    m_firstRow = m_rows.size();
    m_seconds = std::max(m_seconds, m_window.Seconds());
    m_leastRowPoints = std::min(m_leastRowPoints, layout.rowPoints);
    std::map<std::uint32_t, std::size_t> rowOf;
    for (std::size_t row = 0; row < layout.workers.size(); ++row)
    {
        const auto& worker = tally.header.workers(layout.workers[row]);
        m_rows.push_back({layout.run, worker.replica(), worker.stage()});
        rowOf[static_cast<std::uint32_t>(layout.workers[row])] = row;
        AddBox(TimelineLayer::Idle, layout, row, {barHeight}, m_window);
        for (const auto& span : tally.SpansOf(layout.workers[row]))
        {
            AddBox(LayerOf(span.kind()),
                   layout,
                   row,
                   {barHeight, 0, static_cast<double>(span.microbatch())},
                   {span.start_ns(), span.end_ns()});
        }
        for (const auto& fill : tally.fills.spans[static_cast<std::size_t>(layout.workers[row])])
        {
            if (fill.gpu > 0)
            {
                continue; // the row shows the worker's first GPU
            }
            const bool isPrefill = fill.kind == trace::FILL_KIND_PREFILL;
            AddBox(isPrefill ? TimelineLayer::Prefill : TimelineLayer::FillJob,
                   layout,
                   row,
                   {barHeight},
                   {fill.startNs, fill.endNs});
        }
    }
    const bool hasStreams = tally.header.tokens_per_iteration() > 0;
    if (hasStreams)
    {
        AddStreams(tally, layout, rowOf);
    }
    for (const auto& collective : tally.collectives)
    {
        const auto row = rowOf.find(collective.worker());
        if (row != rowOf.end() && !hasStreams)
        {
            AddBox(TimelineLayer::AllReduce,
                   layout,
                   row->second,
                   {collectiveHeight},
                   {collective.joined_ns(), collective.ended_ns()});
        }
    }
    AddCriticalPath(tally, layout, rowOf);
}

/// Adds the streams of parameters and gradients. Collectives of one stream begin when the one before
/// has ended: pulls and pushes have one each, all others share one.
void
TimelineBoxes::AddStreams(const RunTally& tally,
                          const TimelineLayout& layout,
                          const std::map<std::uint32_t, std::size_t>& rowOf)
{
    std::map<std::pair<std::uint32_t, int>, std::int64_t> freeNs; // by worker and stream
    for (const auto& span : tally.collectives)
    {
        const auto row = rowOf.find(span.worker());
        if (row == rowOf.end())
        {
            continue;
        }
        const auto kind = span.kind();
        const bool isPull = kind == trace::COLLECTIVE_KIND_PULL;
        const bool isPush = kind == trace::COLLECTIVE_KIND_PUSH;
        const bool hasOwn = isPull || isPush || kind == trace::COLLECTIVE_KIND_ALL_TO_ALL;
        auto& free = freeNs[{span.worker(), hasOwn ? static_cast<int>(kind) : 0}];
        const bool isFetch = isPull || kind == trace::COLLECTIVE_KIND_ALL_GATHER;
        AddBox(isFetch ? TimelineLayer::Fetch : TimelineLayer::Return,
               layout,
               row->second,
               {streamHeight, isFetch ? -streamBelow : streamBelow},
               {std::max(free, span.joined_ns()), span.ended_ns()});
        free = span.ended_ns();
    }
}

/// Adds the steps of the last iteration's critical path on the workers that have a row.
void
TimelineBoxes::AddCriticalPath(const RunTally& tally,
                               const TimelineLayout& layout,
                               const std::map<std::uint32_t, std::size_t>& rowOf)
{
    for (const auto& step : CriticalPath(tally.History(), tally.LastIteration()))
    {
        const auto row = rowOf.find(step.worker);
        if (row != rowOf.end())
        {
            AddBox(TimelineLayer::CriticalPath,
                   layout,
                   row->second,
                   {pathHeight, pathBelow},
                   {step.startNs, step.endNs});
        }
    }
}

double
TimelineBoxes::Seconds() const
{
    return m_seconds;
}

/// Adds the part of `span` that lies in the window.
void
TimelineBoxes::AddBox(TimelineLayer layer,
                      const TimelineLayout& layout,
                      std::size_t row,
                      const Bar& bar,
                      MeasuredSpan span)
{
    const std::int64_t from = std::max(span.startNs, m_window.startNs);
    const std::int64_t to = std::min(span.endNs, m_window.endNs);
    if (from < to)
    {
        const double middle = layout.tops[row] + (0.5 + bar.below) * layout.rowPoints;
        const double half = bar.height / 2 * layout.rowPoints;
        m_boxes[layer].push_back({static_cast<double>(from - m_window.startNs) / 1e9,
                                  static_cast<double>(to - m_window.startNs) / 1e9,
                                  m_firstRow + row,
                                  middle - half,
                                  middle + half,
                                  bar.microbatch});
    }
}

std::vector<std::string>
TimelineBoxes::TitlesOf(double fromSeconds, double toSeconds) const
{
    const auto isShown = [&](const TimelineBox& box)
    { return box.end > fromSeconds && box.start < toSeconds; };
    std::vector<std::string> titles;
    for (const auto& [layer, boxes] : m_boxes)
    {
        if (std::any_of(boxes.begin(), boxes.end(), isShown))
        {
            titles.emplace_back(LookOf(layer).title);
        }
    }
    return titles;
}

/// Returns whether the boxes of training in a layer are large enough for borders.
bool
TimelineBoxes::HasBorders(TimelineLayer layer, const TimelineScale& scale) const
{
    double sum = 0;
    const auto& boxes = m_boxes.at(layer);
    for (const auto& box : boxes)
    {
        sum += scale.Points(box.end - box.start);
    }
    const bool isTraining = !std::isnan(boxes.front().microbatch);
    return isTraining && m_leastRowPoints >= borderedRowPoints &&
           sum >= borderedPoints * static_cast<double>(boxes.size());
}

/// Returns the part of the plot command that writes the microbatches' numbers into those of the
/// layer's boxes that are wide enough; empty where none is.
std::string
TimelineBoxes::NumbersOf(TimelineLayer layer,
                         const std::string& data,
                         const TimelineScale& scale) const
{
    const auto isWide = [&](const TimelineBox& box)
    {
        const auto digits = fmt::format("{}", box.microbatch).size();
        return scale.Points(box.end - box.start) >= digitPoints * static_cast<double>(digits);
    };
    const char* colour = LookOf(layer).numberColour;
    const auto& boxes = m_boxes.at(layer);
    if (colour == nullptr || m_leastRowPoints < numberedRowPoints ||
        std::none_of(boxes.begin(), boxes.end(), isWide))
    {
        return "";
    }
    return fmt::format(", {} using (($1+$2)/2*{}):(($3+$4)/2):(($2-$1)*{} >= "
                       "{}*strlen(sprintf('%d',$7)) ? sprintf('%d',$7) : '') with labels font "
                       "'{},{}' textcolor rgb '{}'",
                       data,
                       TimeUnitOf(scale.toSeconds).perSecond,
                       scale.Points(1),
                       digitPoints,
                       fontName,
                       numberFontPoints,
                       colour);
}

FigureTable
TimelineBoxes::TableOf(TimelineLayer layer, const TimelineScale& scale) const
{
    FigureTable table{
        {{"work", LookOf(layer).title}},
        {"start_s", "end_s", "upper_pt", "lower_pt", "replica", "stage", "microbatch"}};
    const bool hasRuns = !m_rows.empty() && !m_rows.front().run.empty();
    if (hasRuns)
    {
        table.columns.push_back("run");
    }
    for (const auto& box : m_boxes.at(layer))
    {
        const auto& row = m_rows[box.row];
        const double start = std::max(box.start, scale.fromSeconds);
        const double end = std::min(box.end, scale.toSeconds);
        if (start >= end)
        {
            continue;
        }
        table.rows.push_back({start,
                              end,
                              box.upper,
                              box.lower,
                              static_cast<double>(row.replica),
                              static_cast<double>(row.stage),
                              box.microbatch});
        if (hasRuns)
        {
            table.rows.back().push_back(row.run);
        }
    }
    return table;
}

void
TimelineBoxes::Plot(FigureScript& commands, const TimelineScale& scale, const Legend& legend) const
{
    const double perSecond = TimeUnitOf(scale.toSeconds).perSecond;
    std::string numbers; // in front of all boxes
    std::string separator = "plot ";
    for (const auto& [layer, boxes] : m_boxes)
    {
        auto table = TableOf(layer, scale);
        if (table.rows.empty())
        {
            continue;
        }
        const auto data = commands.Add(std::move(table));
        commands << separator << data
                 << fmt::format(
                        " using ($1*{0}):3:($1*{0}):($2*{0}):3:4 with boxxyerror fs solid 1 "
                        "{1} fc rgb '{2}'",
                        perSecond,
                        HasBorders(layer, scale) ? "border lc rgb 'white' lw 0.15" : "noborder",
                        LookOf(layer).colour)
                 << legend.Title(LookOf(layer).title);
        numbers += NumbersOf(layer, data, scale);
        separator = ", ";
    }
    commands << numbers << "\n";
}

std::string
MakespanText(const RunTally& tally)
{
    const std::string time = TimeText(tally.LastIteration().Seconds());
    if (tally.MeasuredIterations() == 0)
    {
        return "unfinished, " + time + " so far";
    }
    return (tally.header.without_flush() ? "iteration " : "makespan ") + time;
}

std::vector<std::filesystem::path>
DrawTimelineBoxes(const TimelineBoxes& boxes, const TimelineFrame& frame, const FigurePlace& place)
{
    constexpr double bottomPoints = 36; // room for the axis
    constexpr double rightPoints = 14;
    const auto range = place.TimeRange(0, boxes.Seconds());
    const double from = range.first; // no structured binding: C++17 can't capture one
    const double to = range.second;
    const Legend legend(boxes.TitlesOf(from, to), place.Width(twoColumnPoints));
    const double topPoints = 6 + legend.Height();
    const FigurePage page =
        place.Page(twoColumnPoints, topPoints + frame.heightPoints + bottomPoints, frame.title);
    const TimelineScale scale{from, to, page.width - frame.leftPoints - rightPoints};
    const TimeUnit unit = TimeUnitOf(to);
    const bool isLow = TextWidth(frame.rowsLabel, fontPoints) > frame.heightPoints + 30;
    const std::string& rowsLabel =
        isLow && !frame.shortRowsLabel.empty() ? frame.shortRowsLabel : frame.rowsLabel;
    return DrawFigure(
        place,
        page,
        [&](FigureScript& commands)
        {
            commands << Margins(page, frame.leftPoints, rightPoints, topPoints, bottomPoints)
                     << fmt::format("set xrange [{}:{}]\nset yrange [{}:0]\n",
                                    unit.perSecond * from,
                                    unit.perSecond * to,
                                    frame.heightPoints)
                     << "set border 1 lw 0.5\nset xtics nomirror out scale 0.6\n"
                     << "set xtics "
                     << TickStep(unit.perSecond * (to - from) / (page.width < 400 ? 1 : 2))
                     << "\nset xlabel "
                     << Quoted(fmt::format("{} ({})", frame.timeLabel, unit.symbol))
                     << " offset 0,0.3\n"
                     << "set ylabel " << Quoted(rowsLabel) << "\n"
                     << legend.Commands(page) << frame.rowTics;
            for (const auto& header : frame.headers)
            {
                commands << HeaderLabels(header, scale.areaPoints);
            }
            boxes.Plot(commands, scale, legend);
        });
}

} // namespace geotrain
