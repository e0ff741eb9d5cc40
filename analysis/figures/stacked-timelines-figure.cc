// SPDX-License-Identifier: GPL-2.0-only
#include "figures/stacked-timelines-figure.h"

#include "figures/timeline-boxes.h"
#include "figures/timeline-layout.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

constexpr std::size_t mostStackedRuns = 12; // as many as fit a page

std::vector<NamedTrace>
ShownOf(std::vector<NamedTrace> runs)
{
    runs.resize(std::min(runs.size(), mostStackedRuns));
    return runs;
}

/// Returns the setting, and how many of `runs` runs are shown where not all are.
std::string
TitleOf(const std::string& setting, std::size_t runs)
{
    return runs <= mostStackedRuns ? setting
                                   : fmt::format("{}{}the first {} of {}",
                                                 setting,
                                                 setting.empty() ? "" : "; ",
                                                 mostStackedRuns,
                                                 runs);
}

} // namespace

std::vector<std::filesystem::path>
DrawStackedTimelines(const std::vector<NamedTrace>& runs,
                     const std::string& setting,
                     const FigurePlace& place)
{
    TimelineBoxes boxes;
    TimelineFrame frame;
    frame.leftPoints = 24;
    frame.title = TitleOf(setting, runs.size());
    frame.timeLabel = "Time since the start of the iteration";
    frame.rowsLabel = "Stage, the first on top";
    frame.shortRowsLabel = "Stage";
    for (const auto& run : ShownOf(runs))
    {
        TraceReader reader(run.trace.string());
        const RunTally tally(reader);
        const auto layout = LayOutFirstReplica(tally.Header(), run.name, frame.heightPoints);
        boxes.Add(tally, layout);
        frame.headers.push_back(
            {layout.headers.front().first, layout.headers.front().second, MakespanText(tally)});
        frame.heightPoints = layout.heightPoints;
    }
    return DrawTimelineBoxes(boxes, frame, place);
}

} // namespace geotrain
