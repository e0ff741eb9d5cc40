// SPDX-License-Identifier: GPL-2.0-only
// Decides which workers have a row in the timeline, and where. Rows are grouped by data centre (in
// the order of the nodes), then by replica and stage. There are at most 64 rows, so that a figure
// fits a page: those of the first replicas that fit, or of stages of the first replica that are
// evenly far from each other.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A TimelineLayout is the rows of the figure. Positions are in points from the top of the plot
/// area.
struct TimelineLayout
{
    std::vector<int> workers;                            ///< worker of each row
    std::vector<double> tops;                            ///< upper edge of each row
    std::vector<std::pair<double, std::string>> headers; ///< middle and text of each group's header
    std::string run = {};                                ///< its name; empty for a single one
    double rowPoints = 0;                                ///< height of a row
    bool rowsHaveLabels = false;
    double heightPoints = 0; ///< height of all rows and headers

    /// Which workers have rows, such as "replicas 0 to 2 of 20"; empty where all have.
    std::string shown = {};
};

/// Lays out the timeline of one run.
TimelineLayout LayOutTimeline(const trace::RunHeader& header);

/// Lays out workers of a replica by stage, from `top` on, below a header with `title`: all, or 16
/// that are evenly far from each other. Rows have no labels. `heightPoints` of the result is where
/// the next group may begin.
TimelineLayout LayOutReplica(const trace::RunHeader& header,
                             std::uint32_t replica,
                             const std::string& title,
                             double top);

} // namespace geotrain
