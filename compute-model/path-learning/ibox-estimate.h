// SPDX-License-Identifier: GPL-2.0-only
// Estimates a path from packets as iBoxNet does (Ashok et al., HotNets 2020): the rate from the peak
// of arrivals, the propagation from the least delay, the buffer from the range of delays, and the
// cross traffic by conservation of bytes while the buffer is busy. The page doc/learned-path.md
// says how, where it goes beyond iBoxNet, and how each estimate errs.
#pragma once

#include "path-learning/packet-trace.h"
#include "wan/learned-link.h"

#include <vector>

namespace geotrain
{

/// BusyCrossTraffic is an estimate of cross traffic, bin by bin.
struct BusyCrossTraffic
{
    CrossTrafficSeries series; ///< whole: unknown bins are filled
    std::vector<bool> isKnown; ///< by bin: the buffer was busy for a tenth of it or more
};

constexpr std::int64_t crossTrafficBinNs = 100000000; ///< width of a bin that estimates use

/// Estimates all parameters from one trace.
PathParameters EstimatePath(const PacketTrace& trace);

/// Estimates the others where the rate is known.
PathParameters EstimatePath(const PacketTrace& trace, BitRate rate);

/// Estimates cross traffic where rate and propagation are known.
BusyCrossTraffic EstimateCrossTraffic(const PacketTrace& trace, BitRate rate, Duration propagation);

} // namespace geotrain
