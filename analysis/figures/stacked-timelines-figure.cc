// SPDX-License-Identifier: GPL-2.0-only
#include "figures/stacked-timelines-figure.h"

#include "figures/timeline-boxes.h"
#include "figures/timeline-layout.h"
#include "metrics/critical-path.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

/// Returns the replica on which most of the last iteration's critical path lies, the first of such.
std::uint32_t
ReplicaOfCriticalPath(const RunTally& tally)
{
    std::map<std::uint32_t, std::int64_t> lengthNs;
    for (const auto& step : CriticalPath(tally.History(), tally.LastIteration()))
    {
        const auto& worker = tally.header.workers(static_cast<int>(step.worker));
        lengthNs[worker.replica()] += step.endNs - step.startNs;
    }
    const auto longest =
        std::max_element(lengthNs.begin(),
                         lengthNs.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return longest == lengthNs.end() ? 0 : longest->first;
}

/// Says which of several replicas is shown, and how long the iteration takes.
std::string
TextAtTheRight(const RunTally& tally, std::uint32_t replica)
{
    return tally.header.replicas() > 1 ? fmt::format("replica {}, {}", replica, MakespanText(tally))
                                       : MakespanText(tally);
}

TimelineFrame
FrameOf(const std::string& title, const std::string& timeLabel)
{
    TimelineFrame frame;
    frame.leftPoints = 24;
    frame.title = title;
    frame.timeLabel = timeLabel;
    frame.rowsLabel = "Stage, the first on top";
    frame.shortRowsLabel = "Stage";
    return frame;
}

/// Adds what `tally` did in `window`, as a group below `name`.
void
AddGroup(const RunTally& tally,
         const std::string& name,
         MeasuredSpan window,
         TimelineBoxes& boxes,
         TimelineFrame& frame)
{
    const std::uint32_t replica = ReplicaOfCriticalPath(tally);
    const auto layout = LayOutReplica(tally.header, replica, name, frame.heightPoints);
    boxes.Add(tally, layout, window);
    frame.headers.push_back({layout.headers.front().first,
                             layout.headers.front().second,
                             TextAtTheRight(tally, replica)});
    frame.heightPoints = layout.heightPoints;
}

} // namespace

std::vector<std::filesystem::path>
DrawStackedTimelines(const std::vector<NamedTrace>& runs,
                     const std::string& setting,
                     const FigurePlace& place)
{
    TimelineBoxes boxes;
    TimelineFrame frame =
        FrameOf(TitleOf(setting, runs.size()), "Time since the start of the iteration");
    for (const auto& run : ShownOf(runs))
    {
        TraceReader reader(run.trace.string(), run.job);
        const RunTally tally(reader);
        AddGroup(tally, run.name, tally.LastIteration(), boxes, frame);
    }
    return DrawTimelineBoxes(boxes, frame, place);
}

std::vector<std::filesystem::path>
DrawJobTimelines(const std::vector<const RunTally*>& jobs, const FigurePlace& place)
{
    const auto first = *std::min_element(
        jobs.begin(),
        jobs.end(),
        [](const auto* a, const auto* b)
        { return a->LastIteration().endNs < b->LastIteration().endNs; });
    TimelineBoxes boxes;
    TimelineFrame frame =
        FrameOf("", "Time since the start of an iteration of " + first->header.job());
    for (const auto* job : jobs)
    {
        AddGroup(*job, job->header.job(), first->LastIteration(), boxes, frame);
    }
    return DrawTimelineBoxes(boxes, frame, place);
}

} // namespace geotrain
