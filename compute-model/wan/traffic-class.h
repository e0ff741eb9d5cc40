// SPDX-License-Identifier: GPL-2.0-only
// A class of traffic, as links and NICs serve it.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <algorithm>
#include <cstdint>
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
    std::uint8_t dscp = 0;       ///< mark of its packets (RFC 2474), 0 to 63
    /// Index of the class in whose queue its packets wait; none: it has a queue of its own.
    std::optional<std::uint32_t> waitsIn;
};

/// Returns whether classes have more than one queue: without, packets go in their order.
inline bool
ServeUnlike(const std::vector<TrafficClass>& classes)
{
    const auto hasQueue = [](const TrafficClass& one) { return !one.waitsIn; };
    return std::count_if(classes.begin(), classes.end(), hasQueue) > 1;
}

/// Returns the number of the first class whose packets have the mark `dscp`: what a router knows of
/// them. A mark of no class counts as none, and some class has none.
inline std::uint32_t
ClassOfMark(std::uint8_t dscp, const std::vector<TrafficClass>& classes)
{
    const auto has = [](std::uint8_t mark)
    { return [mark](const TrafficClass& one) { return one.dscp == mark; }; };
    auto found = std::find_if(classes.begin(), classes.end(), has(dscp));
    found = found == classes.end() ? std::find_if(classes.begin(), classes.end(), has(0)) : found;
    return static_cast<std::uint32_t>(found - classes.begin());
}

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
