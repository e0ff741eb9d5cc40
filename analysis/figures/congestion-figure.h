// SPDX-License-Identifier: GPL-2.0-only
// Draws congestion window and round-trip time of WAN connections over time, a row per connection.
// The samples exist only for times at which bytes were outstanding.
#pragma once

#include "figures/figure-place.h"
#include "figures/stacked-timelines-figure.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Writes `stem`.png and `stem`.pdf and returns the files; there are none where no connection over
/// the WAN was sampled. For a single run it draws the first five connections, for several runs the
/// first connection of each. Throws TraceError when a trace is at fault, when gnuplot is missing or
/// fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCongestion(const std::vector<NamedTrace>& runs,
                                                  const FigurePlace& place);

} // namespace geotrain
