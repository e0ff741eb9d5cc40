// SPDX-License-Identifier: GPL-2.0-only
// Says how much cross traffic a record had, bin by bin. What came between two packets dt apart is known
// where the first was still in the buffer when the second came, so that it was busy all the time. With
// their stays y and the second one's own time s / b it is, over the rate, (y_2 - s / b) - y_1 + dt.
#pragma once

#include "learned-path/model/packet-trace.h"
#include "wan/learned-link.h"

#include <optional>
#include <vector>

namespace geotrain
{

/// Returns cross traffic over the rate in `count` bins from the record's beginning, at least 0; none in
/// bins of which less than half is known.
std::vector<std::optional<double>> RecordedCrossTraffic(const PacketTrace& trace,
                                                        const PathLane& lane,
                                                        Duration bin,
                                                        std::size_t count);

} // namespace geotrain
