// SPDX-License-Identifier: GPL-2.0-only
// Decides how much of what a window allows goes as one train. Trains are coarser than a socket's
// bursts where that decides nothing: the most of what is left of a burst, what waits in the queue
// anyway, and a fortieth of a round trip where the window is open or wide. A train is at most a
// sixteenth of the window, but may always be what one acknowledgement answers.
#pragma once

#include "analytic/congestion-window.h"

#include <cstdint>

namespace geotrain
{

/// Returns the most bytes per train of a connection whose next bytes wait for `backlog` beyond a
/// round trip. `coarseness` is the factor by which trains are longer than usual. Above 1 all windows
/// count as wide.
std::int64_t LongestTrain(const Pacing& pacing, Duration backlog, double coarseness);

} // namespace geotrain
