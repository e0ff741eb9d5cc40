// SPDX-License-Identifier: GPL-2.0-only
// Says how much cross traffic a record had, bin by bin. With the stays y of two packets dt apart, and the
// second one's own time s / b, what came between them is, over the rate,
//
//     at most   (y_2 - s / b) - y_1 + dt          where the buffer was busy all the time,
//     at least  (y_2 - s / b) - max(0, y_1 - dt)  where it was idle as long as it may have been.
//
// Both are the same where the first packet was still in the buffer when the second came. Elsewhere the
// share of such packets nearby that had to wait for something says how much came, since that is how often
// others' packets kept the buffer busy. Where that is less than half of the mean of what is known, it was
// a quiet time. A lost packet found the buffer full.
#pragma once

#include "path-learning/packet-trace.h"
#include "wan/learned-link.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// Returns whether what came between two packets is mostly whole packets of the largest size, so that
/// cross traffic comes in such packets and not as a fluid.
bool ComesInPackets(const PacketTrace& trace, const PathParameters& path);

/// Returns cross traffic over the rate in `count` bins from the record's beginning, at least 0; none in
/// bins that for half of their time or more are neither known nor of a quiet time. Where it comes in packets,
/// each is all in one bin.
std::vector<std::optional<double>> RecordedCrossTraffic(const PacketTrace& trace,
                                                        const PathParameters& path,
                                                        Duration bin,
                                                        std::size_t count);

} // namespace geotrain
