// SPDX-License-Identifier: GPL-2.0-only
// Draws samples of several runs over time, run beside run: a connection's window and round trip, a
// link's queue and rate. Of training they are those of the last iteration.
#pragma once

#include "figures/figure-place.h"
#include "figures/stacked-timelines-figure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// SampledQuantity is what a panel shows.
enum class SampledQuantity
{
    Window,    ///< congestion window of the first connection between data centres
    RoundTrip, ///< its round-trip time
    Queue,     ///< bytes in the queue of a link
    Rate       ///< what a link carries
};

/// A SamplePanel is a row of the figure.
struct SamplePanel
{
    SampledQuantity quantity = SampledQuantity::Window;
    std::string link; ///< directed, such as "dc-a -> dc-b"; of queues and rates alone
};

/// Draws a row per panel and a column per run, and returns the files. Rates have the link's capacity as
/// a line, and say how much of it is used. Neither list may be empty. Throws TraceError when a trace is
/// at fault, when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawSamplePanels(const std::vector<NamedTrace>& runs,
                                                    const std::vector<SamplePanel>& panels,
                                                    const FigurePlace& place);

} // namespace geotrain
