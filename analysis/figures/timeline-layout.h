// SPDX-License-Identifier: GPL-2.0-only
// Which workers have a row in the timeline, and where: grouped by data centre (in the order of the
// nodes), then by replica and stage. Above 200 workers the first replicas that fit stand for all.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// The rows of the figure, in points from the top of the plot area.
struct TimelineLayout
{
    std::vector<int> workers;                            ///< by row
    std::vector<double> tops;                            ///< of each row
    std::vector<std::pair<double, std::string>> headers; ///< middle and text of each group's
    double rowPoints = 0;
    bool rowsHaveLabels = false;
    double heightPoints = 0;
    std::uint32_t replicasShown = 0; ///< 0: all
};

TimelineLayout LayOutTimeline(const trace::RunHeader& header);

/// The workers of the first replica by stage, below a line with `title`, from `top` on. Rows have
/// no labels; `heightPoints` is where the next such group may begin.
TimelineLayout
LayOutFirstReplica(const trace::RunHeader& header, const std::string& title, double top);

} // namespace geotrain
