// SPDX-License-Identifier: GPL-2.0-only
// Draws a run of flows: what each steady flow delivers over time, with its fair share and what the
// links allow, and how long packets wait at the links over time.
#pragma once

#include "figures/figure-place.h"
#include "metrics/flow-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Draws `flow-throughput` and `queueing-delay` in `folder` and returns their files. Throws
/// TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawFlowFigures(const FlowTally& tally,
                                                   const FigurePlace& folder);

} // namespace geotrain
