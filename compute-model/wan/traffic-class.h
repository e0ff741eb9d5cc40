// SPDX-License-Identifier: GPL-2.0-only
// A class of traffic, as links and NICs serve it.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A TrafficClass is served before all of lower priority, and shares with those of its own by weight.
struct TrafficClass
{
    std::string name;
    int priority = 0;
    double weight = 1;           ///< positive
    std::optional<BitRate> rate; ///< most on each direction of a WAN link; none: no limit
    bool police = false;         ///< what exceeds the rate is dropped and doesn't wait
    Bytes burst;                 ///< police: size of the token bucket
};

/// Returns the weight of a class over the least one of its priority, so at least 1.
inline double
ShareAmongPeers(const TrafficClass& of, const std::vector<TrafficClass>& classes)
{
    double least = of.weight;
    for (const TrafficClass& one : classes)
    {
        least = one.priority == of.priority ? std::min(least, one.weight) : least;
    }
    return of.weight / least;
}

} // namespace geotrain
