// SPDX-License-Identifier: GPL-2.0-only
#include "figures/timeline-figure.h"

#include "figures/timeline-boxes.h"
#include "figures/timeline-layout.h"

#include <fmt/format.h>

#include <string>

namespace geotrain
{

namespace
{

std::string
RowLabels(const trace::RunHeader& header, const TimelineLayout& layout)
{
    if (!layout.rowsHaveLabels)
    {
        return "unset ytics\n";
    }
    std::string labels;
    for (std::size_t row = 0; row < layout.workers.size(); ++row)
    {
        const auto& worker = header.workers(layout.workers[row]);
        labels += fmt::format("{}'{}{}' {}",
                              row == 0 ? "" : ", ",
                              header.replicas() > 1 ? fmt::format("{}, ", worker.replica()) : "",
                              worker.stage(),
                              layout.tops[row] + layout.rowPoints / 2);
    }
    return fmt::format("set ytics scale 0 font 'DejaVu Sans,{}' ({})\n", smallFontPoints, labels);
}

std::string
VerticalAxisLabel(const trace::RunHeader& header, const TimelineLayout& layout)
{
    if (!layout.shown.empty())
    {
        return "Workers: " + layout.shown;
    }
    return !layout.rowsHaveLabels ? "Worker" : header.replicas() > 1 ? "Replica, stage" : "Stage";
}

} // namespace

std::vector<std::filesystem::path>
DrawTimeline(const RunTally& tally, const FigurePlace& place)
{
    const TimelineLayout layout = LayOutTimeline(tally.header);
    TimelineBoxes boxes;
    boxes.Add(tally, layout, tally.LastIteration());
    TimelineFrame frame;
    frame.leftPoints = 62;
    frame.heightPoints = layout.heightPoints;
    frame.timeLabel = "Time since the start of the iteration";
    frame.rowsLabel = VerticalAxisLabel(tally.header, layout);
    frame.shortRowsLabel = "Worker";
    frame.rowTics = RowLabels(tally.header, layout);
    for (const auto& [middle, text] : layout.headers)
    {
        frame.headers.push_back({middle, text});
    }
    if (!frame.headers.empty())
    {
        frame.headers.front().right = MakespanText(tally);
    }
    return DrawTimelineBoxes(boxes, frame, place);
}

} // namespace geotrain
