// SPDX-License-Identifier: GPL-2.0-only
// Draws the pipeline timeline of one iteration: a row per worker, grouped by data centre, then
// replica and stage. Where there are more than 200 workers, only the first replicas are drawn, and
// the axis says so. An all-reduce is visible only where the worker does nothing else meanwhile.
#pragma once

#include "figures/figure-place.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Draws the tally's last iteration at `place` and returns the files. Throws
/// TraceError when the trace holds no iteration, when gnuplot is missing or fails, or when a file
/// can't be written.
std::vector<std::filesystem::path> DrawTimeline(const RunTally& tally, const FigurePlace& place);

} // namespace geotrain
