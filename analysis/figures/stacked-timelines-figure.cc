// SPDX-License-Identifier: GPL-2.0-only
#include "figures/stacked-timelines-figure.h"

#include "figures/timeline-boxes.h"
#include "figures/timeline-layout.h"
#include "trace/trace-reader.h"

namespace geotrain
{

std::vector<std::filesystem::path>
DrawStackedTimelines(const std::vector<NamedTrace>& runs,
                     const std::string& setting,
                     const FigurePlace& place)
{
    TimelineBoxes boxes;
    TimelineFrame frame;
    frame.leftPoints = 24;
    frame.timeLabel = "Time since the start of the iteration (s); " + setting;
    frame.rowsLabel = "Stages of a pipeline, the first one on top";
    for (const auto& run : runs)
    {
        TraceReader reader(run.trace.string());
        const RunTally tally(reader);
        const auto layout = LayOutFirstReplica(tally.Header(), run.name, frame.heightPoints);
        boxes.Add(tally, layout);
        frame.headers.push_back(layout.headers.front());
        frame.heightPoints = layout.heightPoints;
    }
    return DrawTimelineBoxes(boxes, frame, place);
}

} // namespace geotrain
