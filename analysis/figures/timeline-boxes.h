// SPDX-License-Identifier: GPL-2.0-only
// What timelines are drawn of: the boxes of every worker's row by what they show, from back to
// front. Luminance falls from kind of work to kind, so that grey prints keep them apart; an
// all-reduce shows where the worker does nothing else meanwhile.
#pragma once

#include "figures/figure.h"
#include "figures/timeline-layout.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// Of one or more runs below each other. Times are seconds since the start of a run's last
/// iteration.
class TimelineBoxes
{
  public:
    /// Adds the rows that `layout` has of the run.
    void Add(const RunTally& tally, const TimelineLayout& layout);

    /// Of the longest iteration.
    double Seconds() const;

    /// The legend's entries, kinds of work first.
    std::vector<LegendEntry> LegendEntries() const;

    /// The plot command and its data, over an area `areaPoints` wide.
    void Plot(Gnuplot& commands, double areaPoints) const;

  private:
    struct Layer
    {
        const std::vector<Box>* boxes;
        std::string fill;
        const char* title;
    };

    void AddBox(std::vector<Box>& boxes,
                const TimelineLayout& layout,
                std::size_t row,
                double height,
                MeasuredSpan span);
    double MeanWidth(const std::vector<Box>& boxes, double areaPoints) const;
    std::vector<Layer> Layers(double areaPoints) const;

    MeasuredSpan m_window; ///< of the run that is being added
    double m_seconds = 0;
    bool m_rowsAreHigh = true; ///< enough for borders
    std::vector<Box> m_idle;
    std::vector<Box> m_collectives;
    std::vector<Box> m_prefills;
    std::vector<Box> m_fillJobs;
    std::map<trace::GpuWork, std::vector<Box>> m_work;
};

/// What stands around the boxes of a timeline.
struct TimelineFrame
{
    double leftPoints = 0;   ///< for the labels of the rows
    double heightPoints = 0; ///< of all rows
    std::string timeLabel;
    std::string rowsLabel;
    std::string rowTics = "unset ytics\n";               ///< gnuplot commands
    std::vector<std::pair<double, std::string>> headers; ///< of groups of rows: middle and text
};

/// Writes `stem`.png and `stem`.pdf; returns the files. Throws TraceError.
std::vector<std::filesystem::path> DrawTimelineBoxes(const TimelineBoxes& boxes,
                                                     const TimelineFrame& frame,
                                                     const std::filesystem::path& stem);

} // namespace geotrain
