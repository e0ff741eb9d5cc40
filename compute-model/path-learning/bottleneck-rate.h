// SPDX-License-Identifier: GPL-2.0-only
// Estimates the rate at which a path's buffer empties. A second in which the buffer was busy
// carries what the rate leaves to the recorded packets. The median of such seconds bears with what
// hosts do to single packets and with stalls of the recording host, which a peak takes for the
// rate. Where cross traffic takes its share of every second, packets between which nothing else was
// in a busy buffer still arrive one packet time apart (Dovrolis et al., INFOCOM 2001).
#pragma once

#include "path-learning/packet-trace.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// Returns the median rate of the seconds in which the buffer was busy, or of shorter times where
/// these are few. Where it hardly was, the least rate at which packets wait no longer than they
/// did.
BitRate BusyRate(const PacketTrace& trace);

/// Returns the greatest rate that a tenth of the busy time has within 2 %: that of the seconds in
/// which cross traffic left all of it.
BitRate FreeRate(const PacketTrace& trace);

/// Returns the rate beneath cross traffic: that of the fastest spacing of packets which is common
/// and exact. None where jitter of the hosts or coarse clocks hide it.
std::optional<BitRate> ExactRate(const PacketTrace& trace);

/// Returns whether packets followed each other through a busy buffer often enough to show its rate.
/// Where not, the rate is what was sent at most, which the path has at least.
bool ShowsRate(const PacketTrace& trace);

} // namespace geotrain
