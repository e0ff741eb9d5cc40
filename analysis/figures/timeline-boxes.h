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
#include <utility>
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

/// TimelineBoxes holds the boxes of one run, or of several below each other. Times are seconds
/// since the start of a run's last iteration.
class TimelineBoxes
{
  public:
    /// Adds the boxes of a run for the workers that `layout` gives a row.
    void Add(const RunTally& tally, const TimelineLayout& layout);

    /// Returns the length of the longest iteration in s.
    double Seconds() const;

    /// Returns the titles of what [fromSeconds, toSeconds] shows.
    std::vector<std::string> TitlesOf(double fromSeconds, double toSeconds) const;

    /// Adds the plot command and the data of the boxes that `scale` shows.
    void Plot(FigureScript& commands, const TimelineScale& scale, const Legend& legend) const;

  private:
    /// A Layer is boxes of one look.
    struct Layer
    {
        const std::vector<TimelineBox>* boxes;
        const char* colour;
        const char* title;
        const char* numberColour = nullptr; ///< of microbatches' numbers; null: none
    };

    void AddBox(std::vector<TimelineBox>& boxes,
                const TimelineLayout& layout,
                std::size_t row,
                double height,
                MeasuredSpan span,
                double microbatch = std::numeric_limits<double>::quiet_NaN(),
                double below = 0);
    void AddStreams(const RunTally& tally,
                    const TimelineLayout& layout,
                    const std::map<std::uint32_t, std::size_t>& rowOf);
    void AddCriticalPath(const RunTally& tally,
                         const TimelineLayout& layout,
                         const std::map<std::uint32_t, std::size_t>& rowOf);
    std::vector<Layer> Layers() const;
    bool HasBorders(const Layer& layer, const TimelineScale& scale) const;
    std::string
    NumbersOf(const Layer& layer, const std::string& data, const TimelineScale& scale) const;
    FigureTable TableOf(const Layer& layer, const TimelineScale& scale) const;

    MeasuredSpan m_window;      ///< last iteration of the run that is being added
    std::size_t m_firstRow = 0; ///< of that run
    double m_seconds = 0;
    double m_leastRowPoints = std::numeric_limits<double>::infinity();
    std::vector<TimelineBox> m_idle;
    std::vector<TimelineBox> m_collectives;
    std::vector<TimelineBox> m_fetches; ///< of parameters
    std::vector<TimelineBox> m_returns; ///< of gradients
    std::vector<TimelineBox> m_prefills;
    std::vector<TimelineBox> m_fillJobs;
    std::vector<TimelineBox> m_criticalPath;
    std::map<trace::GpuWork, std::vector<TimelineBox>> m_work;
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
