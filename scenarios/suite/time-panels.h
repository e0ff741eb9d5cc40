// SPDX-License-Identifier: GPL-2.0-only
// Draws what samples in traces tell over time: a connection's window, round trip, queue and
// throughput, and the WAN's throughput while training, run beside run.
#pragma once

#include "figures/stacked-timelines-figure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A SampledLink is a direction of a link, as traces call it, and its capacity.
struct SampledLink
{
    std::string name;
    double capacityBps = 0;
};

/// Draws congestion window and round trip of the first connection between data centres, and queue
/// and throughput of `link`, each over time, with a column per run.
void DrawConnectionPanels(const std::vector<NamedTrace>& runs,
                          const SampledLink& link,
                          const FigurePlace& place);

/// Draws the throughput of `links` over the last iteration, with a row per run and a column per
/// link. `capacityBps` is what a link's node pairs may carry together.
void DrawWanPanels(const std::vector<NamedTrace>& runs,
                   const std::vector<std::string>& links,
                   double capacityBps,
                   const FigurePlace& place);

} // namespace geotrain
