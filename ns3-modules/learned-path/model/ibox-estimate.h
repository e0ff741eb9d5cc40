// SPDX-License-Identifier: GPL-2.0-only
// Estimates a path from packets as iBoxNet does (Ashok et al., HotNets 2020): the rate from the peak
// of arrivals, the propagation from the least delay, the buffer from the range of delays, and the
// cross traffic by conservation of bytes while the buffer is busy. The peak is that of a sliding
// second, or of the longest time that the records kept the buffer busy where that is shorter. Known
// biases: the rate is too small where the records never saturate the path, and the propagation too
// large with a standing queue. The buffer is unknown where nothing was lost: it is then ten times
// what was seen, and a second of the rate at least, which is an estimate. Nothing is known of cross traffic while the
// buffer is empty: there it is the mean of what is known, as far as the rate leaves room for it.
#pragma once

#include "learned-path/model/packet-trace.h"
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

/// Estimates cross traffic where rate and propagation are known.
BusyCrossTraffic EstimateCrossTraffic(const PacketTrace& trace, BitRate rate, Duration propagation);

} // namespace geotrain
