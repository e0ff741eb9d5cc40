// SPDX-License-Identifier: GPL-2.0-only
// Collects the boxes of which timelines are drawn: one set per kind of work, drawn from back to
// front. The kinds differ in luminance, so that grey prints keep them apart. An all-reduce is
// visible only where the worker does nothing else meanwhile. The critical path is a line below the
// bars of the workers that it passes. A box that is wide enough has the number of its microbatch.
// Where parameters come layer by layer, a line in the upper part of a bar is their stream, and one in
// the lower part is that of the gradients.
#pragma once

#include "figures/figure-place.h"
#include "figures/figure.h"
#include "figures/timeline-layout.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// A TimelineRow is the worker that a row shows.
struct TimelineRow
{
    std::string run; ///< empty in the figure of one run
    std::uint32_t replica = 0;
    std::uint32_t stage = 0;
};

/// A TimelineBox is one piece of work, in seconds, and its row, in points from the plot area's top.
struct TimelineBox
{
    double start = 0;
    double end = 0;
    std::size_t row = 0; ///< of TimelineBoxes' rows
    double upper = 0;
    double lower = 0;
    double microbatch = std::numeric_limits<double>::quiet_NaN(); ///< NaN: none
};

/// A TimelineScale says how times become places on the page.
struct TimelineScale
{
    double fromSeconds = 0;
    double toSeconds = 0;
    double areaPoints = 0; ///< width of the plot area

    double Points(double seconds) const
    {
        return seconds / (toSeconds - fromSeconds) * areaPoints;
    }
};

/// TimelineLayer is a kind of work, from back to front.
enum class TimelineLayer
{
    Idle,
    AllReduce,
    Forward,
    Recomputation,
    Backward,
    WeightGradient,
    OptimizerStep,
    Prefill,
    FillJob,
    Fetch,  ///< of parameters
    Return, ///< of gradients
    CriticalPath,
};

/// TimelineBoxes holds the boxes of one run, or of several below each other. Times are seconds
/// since the start of a run's window, such as its last iteration.
class TimelineBoxes
{
  public:
    /// Adds what a run did in `window`, for the workers that `layout` gives a row.
    void Add(const RunTally& tally, const TimelineLayout& layout, MeasuredSpan window);

    /// Returns the length of the longest window in s.
    double Seconds() const;

    /// Returns the titles of what [fromSeconds, toSeconds] shows.
    std::vector<std::string> TitlesOf(double fromSeconds, double toSeconds) const;

    /// Adds the plot command and the data of the boxes that `scale` shows.
    void Plot(FigureScript& commands, const TimelineScale& scale, const Legend& legend) const;

  private:
    /// A Bar is the place of a box in its row, in rows, and the number in it.
    struct Bar
    {
        double height = 0;
        double below = 0; ///< middle of the row to that of the bar
        double microbatch = std::numeric_limits<double>::quiet_NaN(); ///< NaN: none
    };

    void AddBox(TimelineLayer layer,
                const TimelineLayout& layout,
                std::size_t row,
                const Bar& bar,
                MeasuredSpan span);
    void AddStreams(const RunTally& tally,
                    const TimelineLayout& layout,
                    const std::map<std::uint32_t, std::size_t>& rowOf);
    void AddCriticalPath(const RunTally& tally,
                         const TimelineLayout& layout,
                         const std::map<std::uint32_t, std::size_t>& rowOf);
    bool HasBorders(TimelineLayer layer, const TimelineScale& scale) const;
    std::string
    NumbersOf(TimelineLayer layer, const std::string& data, const TimelineScale& scale) const;
    FigureTable TableOf(TimelineLayer layer, const TimelineScale& scale) const;

    MeasuredSpan m_window;      ///< of the run that is being added
    std::size_t m_firstRow = 0; ///< of that run
    double m_seconds = 0;
    double m_leastRowPoints = std::numeric_limits<double>::infinity();
    std::map<TimelineLayer, std::vector<TimelineBox>> m_boxes;
    std::vector<TimelineRow> m_rows;
};

/// Says how long a run's last iteration took, such as "makespan 4.35 s".
std::string MakespanText(const RunTally& tally);

/// A TimelineFrame is what stands around the boxes of a timeline.
struct TimelineFrame
{
    double leftPoints = 0;   ///< width of the row labels, in points
    double heightPoints = 0; ///< height of all rows together, in points
    std::string title = {};  ///< of the page; empty: none
    std::string timeLabel;   ///< without the unit
    std::string rowsLabel;
    std::string shortRowsLabel = {};       ///< where the page is too low for rowsLabel
    std::string rowTics = "unset ytics\n"; ///< gnuplot commands that label the rows

    /// A Header stands above a group of rows.
    struct Header
    {
        double middle = 0; ///< in points from the top
        std::string text;
        std::string right = {}; ///< text at the right end
    };

    std::vector<Header> headers;
};

/// Draws the figure at `place` and returns its files. Throws TraceError when gnuplot is
/// missing or fails, or when a file can't be written.
std::vector<std::filesystem::path>
DrawTimelineBoxes(const TimelineBoxes& boxes, const TimelineFrame& frame, const FigurePlace& place);

} // namespace geotrain
