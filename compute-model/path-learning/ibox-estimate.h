// SPDX-License-Identifier: GPL-2.0-only
// Estimates a path from packets in the spirit of iBoxNet (Ashok et al., HotNets 2020): the
// propagation from the least delay, the buffer from the range of delays, and the cross traffic by
// conservation of bytes while the buffer is busy. The rate is bottleneck-rate.h's, since iBoxNet's
// peak of arrivals takes the catch-up behind a stall for the rate. The README says where it goes
// beyond iBoxNet, and how each estimate errs.
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

/// Estimates the path as a FIFO without cross traffic, of the rate of busy seconds or of `rate`.
PathParameters EstimateFifo(const PacketTrace& trace);
PathParameters EstimateFifo(const PacketTrace& trace, BitRate rate);

/// Estimates cross traffic where rate and propagation are known. `jitter` is what may arrive late
/// without others' packets, each time that the buffer is busy. The series is empty where the mean
/// is below the error of the rate.
BusyCrossTraffic
EstimateCrossTraffic(const PacketTrace& trace, const PathParameters& path, Bytes jitter = Bytes());

} // namespace geotrain
