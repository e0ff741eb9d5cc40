// SPDX-License-Identifier: GPL-2.0-only
// Decides which workers have a row in the timeline, and where. Rows are grouped by data centre (in
// the order of the nodes), then by replica and stage. Where there are more than 200 workers, only
// the first replicas that fit have rows.
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
    double heightPoints = 0;         ///< height of all rows and headers
    std::uint32_t replicasShown = 0; ///< number of replicas that have rows; 0: all
};

/// Lays out the timeline of one run.
TimelineLayout LayOutTimeline(const trace::RunHeader& header);

/// Lays out the workers of the first replica by stage, from `top` on, below a header with `title`.
/// Rows have no labels. `heightPoints` of the result is where the next group may begin.
TimelineLayout
LayOutFirstReplica(const trace::RunHeader& header, const std::string& title, double top);

} // namespace geotrain
