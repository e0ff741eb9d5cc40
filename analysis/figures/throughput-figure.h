// SPDX-License-Identifier: GPL-2.0-only
// Draws the WAN's throughput over time: a panel per directed link or pair of data centres, all with
// the same scale, and with its capacity where the trace tells it. The title says what is left out:
// links that carry hardly more than acknowledgements, and where more than 16 remain, those that use
// the least share of their capacity.
#pragma once

#include "figures/figure-place.h"
#include "figures/wan-throughput.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// Number of time bins over the width of the figure.
constexpr std::size_t throughputBins = 600;

/// A ThroughputTime is the part of the time that a figure shows.
struct ThroughputTime
{
    double fromSeconds = 0;
    double toSeconds = 0;
    std::string label; ///< of the axis, without the unit
};

/// A PanelChoice is the series that have panels.
struct PanelChoice
{
    std::vector<std::string> names; ///< in their order
    std::string leftOut;            ///< what has none, in words; empty: nothing
};

/// Chooses the series that have panels: those with at least 1 % of the busiest one's bits, and of
/// these the 16 that use the largest share of their capacity (where any has none: that carried
/// most).
PanelChoice ChoosePanels(const WanThroughput& throughput);

/// Draws the figure at `place` and returns its files. `throughput` must cover `time` and must not be
/// empty. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawThroughput(const WanThroughput& throughput,
                                                  const ThroughputTime& time,
                                                  const FigurePlace& place);

} // namespace geotrain
