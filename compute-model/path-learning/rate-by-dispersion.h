// SPDX-License-Identifier: GPL-2.0-only
// Estimates a path's rate from how far the buffer spread packets in time (Dovrolis et al., INFOCOM
// 2001): two packets between which nothing else was in a busy buffer arrive one packet time apart,
// whatever share of the rate cross traffic takes otherwise. The peak rate of arrivals, iBoxNet's
// estimate, is lower by that share.
#pragma once

#include "path-learning/packet-trace.h"

#include <optional>

namespace geotrain
{

/// Returns the rate of the fastest of the spacings that are common; none where too few packets
/// followed each other through a busy buffer. `leastRate` is one that the path is known to have.
std::optional<BitRate> RateByDispersion(const PacketTrace& trace, BitRate leastRate);

} // namespace geotrain
