// SPDX-License-Identifier: GPL-2.0-only
// The WAN's throughput over time: a panel for each directed link or pair of data centres, one scale
// for all, so that they compare. Above 8 the busiest are drawn, and the axis says so.
#pragma once

#include "figures/wan-throughput.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Bins over the width of the figure.
constexpr std::size_t throughputBins = 600;

/// Writes `stem`.png and `stem`.pdf; returns the files. `throughput` is of `window` and not empty.
/// Throws TraceError.
std::vector<std::filesystem::path> DrawThroughput(const WanThroughput& throughput,
                                                  MeasuredSpan window,
                                                  const std::filesystem::path& stem);

} // namespace geotrain
