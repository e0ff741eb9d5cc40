// SPDX-License-Identifier: GPL-2.0-only
#include "figures/timeline-boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace geotrain
{

namespace
{

constexpr const char* idleTitle = "Idle";
constexpr const char* allReduceTitle = "All-reduce";
constexpr double barHeight = 0.76; // height of a bar, in rows
constexpr double collectiveHeight = 0.3;
constexpr double borderedPoints = 2; // a border would hide boxes that are narrower

/// Style says how a kind of work is drawn.
struct Style
{
    trace::GpuWork kind;
    const char* title;
    const char* colour;
};

constexpr std::array<Style, 5> styles = {{
    {trace::GPU_WORK_FORWARD, "Forward", "#a8d5f0"},                 // L* 83
    {trace::GPU_WORK_RECOMPUTE, "Recomputation", "#eda63f"},         // L* 73
    {trace::GPU_WORK_BACKWARD, "Backward", "#2f7fb8"},               // L* 51
    {trace::GPU_WORK_WEIGHT_GRADIENT, "Weight gradient", "#7a2f6c"}, // L* 32
    {trace::GPU_WORK_OPTIMIZER_STEP, "Optimiser step", "#1a1a1a"},   // L* 9
}};
constexpr const char* prefillColour = "#c2559d";   // L* 52; told from backward by its hue
constexpr const char* fillJobColour = "#8a8a2a";   // L* 56
constexpr const char* idleColour = "#efefef";      // L* 94
constexpr const char* allReduceColour = "#5b7f5e"; // L* 50; told from the others by its height

} // namespace

void
TimelineBoxes::Add(const RunTally& tally, const TimelineLayout& layout)
{
    m_window = tally.LastIteration();
    m_firstRow = m_rows.size();
    m_seconds = std::max(m_seconds, m_window.Seconds());
    m_rowsAreHigh = m_rowsAreHigh && layout.rowsHaveLabels;
    std::map<std::uint32_t, std::size_t> rowOf;
    for (std::size_t row = 0; row < layout.workers.size(); ++row)
    {
        const auto& worker = tally.Header().workers(layout.workers[row]);
        m_rows.push_back({layout.run, worker.replica(), worker.stage()});
        rowOf[static_cast<std::uint32_t>(layout.workers[row])] = row;
        AddBox(m_idle, layout, row, barHeight, m_window);
        for (const auto& span : tally.SpansOf(layout.workers[row]))
        {
            AddBox(m_work[span.kind()], layout, row, barHeight, {span.start_ns(), span.end_ns()});
        }
        for (const auto& fill : tally.Fills().spans[static_cast<std::size_t>(layout.workers[row])])
        {
            if (fill.gpu > 0)
            {
                continue; // the row shows the worker's first GPU
            }
            const bool isPrefill = fill.kind == trace::FILL_KIND_PREFILL;
            AddBox(isPrefill ? m_prefills : m_fillJobs,
                   layout,
                   row,
                   barHeight,
                   {fill.startNs, fill.endNs});
        }
    }
    for (const auto& collective : tally.Collectives())
    {
        const auto row = rowOf.find(collective.worker());
        if (row != rowOf.end())
        {
            AddBox(m_collectives,
                   layout,
                   row->second,
                   collectiveHeight,
                   {collective.joined_ns(), collective.ended_ns()});
        }
    }
}

double
TimelineBoxes::Seconds() const
{
    return m_seconds;
}

/// Adds the part of `span` that lies in the window, as a box of `height` rows in the middle of a
/// row.
void
TimelineBoxes::AddBox(std::vector<TimelineBox>& boxes,
                      const TimelineLayout& layout,
                      std::size_t row,
                      double height,
                      MeasuredSpan span)
{
    const std::int64_t from = std::max(span.startNs, m_window.startNs);
    const std::int64_t to = std::min(span.endNs, m_window.endNs);
    if (from < to)
    {
        const double middle = layout.tops[row] + layout.rowPoints / 2;
        const double half = height / 2 * layout.rowPoints;
        boxes.push_back({static_cast<double>(from - m_window.startNs) / 1e9,
                         static_cast<double>(to - m_window.startNs) / 1e9,
                         m_firstRow + row,
                         middle - half,
                         middle + half});
    }
}

/// Returns the mean width of the boxes in points.
double
TimelineBoxes::MeanWidth(const std::vector<TimelineBox>& boxes, double areaPoints) const
{
    double sum = 0;
    for (const auto& box : boxes)
    {
        sum += box.end - box.start;
    }
    return sum / static_cast<double>(boxes.size()) / m_seconds * areaPoints;
}

/// Returns the layers that have boxes, from back to front.
std::vector<TimelineBoxes::Layer>
TimelineBoxes::Layers(double areaPoints) const
{
    std::vector<Layer> layers = {
        {&m_idle, fmt::format("fs solid 1 noborder fc rgb '{}'", idleColour), idleTitle},
        {&m_collectives,
         fmt::format("fs solid 1 noborder fc rgb '{}'", allReduceColour),
         allReduceTitle}};
    for (const auto& style : styles)
    {
        const auto found = m_work.find(style.kind);
        if (found == m_work.end())
        {
            continue;
        }
        const bool bordered =
            m_rowsAreHigh && MeanWidth(found->second, areaPoints) >= borderedPoints;
        layers.push_back({&found->second,
                          fmt::format("fs solid 1 {} fc rgb '{}'",
                                      bordered ? "border lc rgb 'white' lw 0.15" : "noborder",
                                      style.colour),
                          style.title});
    }
    layers.push_back(
        {&m_prefills, fmt::format("fs solid 1 noborder fc rgb '{}'", prefillColour), "Prefill"});
    layers.push_back(
        {&m_fillJobs, fmt::format("fs solid 1 noborder fc rgb '{}'", fillJobColour), "Fill job"});
    layers.erase(std::remove_if(layers.begin(),
                                layers.end(),
                                [](const Layer& layer) { return layer.boxes->empty(); }),
                 layers.end());
    return layers;
}

std::vector<LegendEntry>
TimelineBoxes::LegendEntries() const
{
    std::vector<LegendEntry> entries;
    for (const auto& layer : Layers(0))
    {
        entries.push_back({layer.fill, layer.title});
        if (entries.back().title == allReduceTitle)
        {
            entries.back().halfHeight *= collectiveHeight / barHeight;
        }
    }
    const auto firstWork =
        std::find_if(entries.begin(),
                     entries.end(),
                     [](const auto& entry)
                     { return entry.title != idleTitle && entry.title != allReduceTitle; });
    std::rotate(entries.begin(), firstWork, entries.end());
    return entries;
}

FigureTable
TimelineBoxes::TableOf(const Layer& layer) const
{
    FigureTable table{{{"work", layer.title}},
                      {"start_s", "end_s", "upper_pt", "lower_pt", "replica", "stage"}};
    const bool hasRuns = !m_rows.empty() && !m_rows.front().run.empty();
    if (hasRuns)
    {
        table.columns.push_back("run");
    }
    for (const auto& box : *layer.boxes)
    {
        const auto& row = m_rows[box.row];
        table.rows.push_back({box.start,
                              box.end,
                              box.upper,
                              box.lower,
                              static_cast<double>(row.replica),
                              static_cast<double>(row.stage)});
        if (hasRuns)
        {
            table.rows.back().push_back(row.run);
        }
    }
    return table;
}

void
TimelineBoxes::Plot(FigureScript& commands, double areaPoints) const
{
    const auto layers = Layers(areaPoints);
    std::string separator = "plot ";
    for (const auto& layer : layers)
    {
        commands << separator << commands.Add(TableOf(layer))
                 << " using 1:3:1:2:3:4 with boxxyerror " << layer.fill;
        separator = ", ";
    }
    commands << "\n";
}

std::vector<std::filesystem::path>
DrawTimelineBoxes(const TimelineBoxes& boxes,
                  const TimelineFrame& frame,
                  const FigurePlace& place)
{
    constexpr double bottomPoints = 36; // room for the axis
    constexpr double rightPoints = 14;
    const Legend legend(boxes.LegendEntries(), place.Width(twoColumnPoints), frame.leftPoints);
    const double topPoints = 6 + legend.Height();
    const FigurePage page =
        place.Page(twoColumnPoints, topPoints + frame.heightPoints + bottomPoints);
    const auto [from, to] = place.TimeRange(0, boxes.Seconds());
    return DrawFigure(
        place,
        page,
        [&](FigureScript& commands)
        {
            commands << Margins(page, frame.leftPoints, rightPoints, topPoints, bottomPoints)
                     << fmt::format("set xrange [{}:{}]\nset yrange [{}:0]\n",
                                    from,
                                    to,
                                    frame.heightPoints)
                     << "set border 1 lw 0.5\nset xtics nomirror out scale 0.6\n"
                     << "set xlabel " << Quoted(frame.timeLabel) << " offset 0,0.3\n"
                     << "set ylabel " << Quoted(frame.rowsLabel) << "\n"
                     << "unset key\n"
                     << legend.Commands(page) << frame.rowTics;
            for (const auto& [middle, text] : frame.headers)
            {
                commands << "set label " << Quoted(text) << " at graph 0, first " << middle
                         << " left\n";
            }
            boxes.Plot(commands, page.width - frame.leftPoints - rightPoints);
        });
}

} // namespace geotrain
