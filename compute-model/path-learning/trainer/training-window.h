// SPDX-License-Identifier: GPL-2.0-only
// Chooses how long the windows of a network are where the user doesn't.
#pragma once

#include "path-learning/path-model.h"

#include <vector>

namespace geotrain
{

/// Returns ten packets' time at the path's rate, at least 10 ms and a hundred ticks of the clocks, and
/// such that no record has more than 100,000 windows; then twice as long until conservation of bytes
/// hardly says that cross traffic was negative, which is noise of clocks and of what delivers packets in
/// bursts.
Duration WindowFor(const PathModel& path, const std::vector<PacketTrace>& traces);

/// Returns a window that can be cut into slots: down to a multiple of their greatest number.
Duration WholeWindow(Duration window);

/// Returns into how many slots windows are cut, each of which has cross traffic of its own: slots last a
/// packet's time at least, and so long that conservation of bytes hardly gives negative cross traffic.
std::size_t
SlotsFor(Duration window, const PathModel& path, const std::vector<PacketTrace>& traces);

} // namespace geotrain
