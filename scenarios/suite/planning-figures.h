// SPDX-License-Identifier: GPL-2.0-only
// Draws the paper's figures about Atlas's planner, Algorithm 1 (arXiv 2411.14458). They need no runs:
// the planner estimates the time of each plan.
#pragma once

#include "figures/figure-place.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns the names of the planner's figures.
std::vector<std::string> PlanningFigureNames();

/// Draws throughput against GPUs in 1 to 8 data centres (plan-gpus), and against the size of a second
/// data centre (plan-unequal), into `folder`. Throws TraceError when they can't be written.
void DrawPlanningFigures(const FigurePlace& folder);

} // namespace geotrain
