// SPDX-License-Identifier: GPL-2.0-only
// Draws the WAN's throughput over time: a panel per directed link or pair of data centres, all with
// the same scale. Where there are more than 8, only the busiest are drawn, and the axis says so.
#pragma once

#include "figures/figure-place.h"
#include "figures/wan-throughput.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Number of time bins over the width of the figure.
constexpr std::size_t throughputBins = 600;

/// Draws the figure at `place` and returns its files. `throughput` must cover `window` and
/// must not be empty. Throws TraceError when gnuplot is missing or fails, or when a file can't be
/// written.
std::vector<std::filesystem::path> DrawThroughput(const WanThroughput& throughput,
                                                  MeasuredSpan window,
                                                  const FigurePlace& place);

} // namespace geotrain
