// SPDX-License-Identifier: GPL-2.0-only
// Draws the WAN's throughput over time: a panel per directed link or pair of data centres, all with
// the same scale, and with its capacity where the trace tells it. The title says what is left out:
// links that carry hardly more than acknowledgements, and where more than 16 remain, those that use
// the least share of their capacity. A bin is a round trip of the WAN, within which a window is sent
// once, or several where the figure has no room for so many.
#pragma once

#include "figures/figure-place.h"
#include "figures/wan-throughput.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// ThroughputBins are the equal bins of a figure's time.
struct ThroughputBins
{
    std::size_t count = 600;    ///< as many as the figure has room for
    std::size_t roundTrips = 0; ///< that each spans about; 0: unknown
};

/// Returns the bins of `window` for a WAN with this round trip; 0: unknown.
ThroughputBins BinsOf(MeasuredSpan window, std::int64_t roundTripNs);

/// A ThroughputTime is the part of the time that a figure shows.
struct ThroughputTime
{
    double fromSeconds = 0;
    double toSeconds = 0;
    std::string label; ///< of the axis, without the unit
    ThroughputBins bins = {};
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
