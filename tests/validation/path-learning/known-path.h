// SPDX-License-Identifier: GPL-2.0-only
// Draws paths whose truth is known, for studies of what is learned from their packets: rate, delay
// and buffer of a simulated link, and how much of it other people's packets take.
#pragma once

#include "wan/learned-link.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// CrossKind is how other people's packets answer to a full buffer.
enum class CrossKind
{
    Steady,  ///< packets at random times (Poisson), which don't care what becomes of them
    Reactive ///< files of half a second of the rate on average, over CUBIC connections
};

/// KnownPath is one link from "a" to "b".
struct KnownPath
{
    double bitsPerSecond = 0;
    double delaySeconds = 0;
    double bandwidthDelayProducts = 0; ///< of the buffer, of the round trip
    double crossShare = 0;             ///< of the rate
    CrossKind crossKind = CrossKind::Steady;

    /// Returns the fields of the scenario's wan_link, where cross traffic is of a simulated TCP.
    std::string Link() const;

    /// Returns the scenario's cross_traffic of a TCP.
    std::string CrossTraffic() const;

    /// Returns the path with steady cross traffic as drawn by `seed`: packets of 1,500 bytes, each
    /// as a fluid over the millisecond of its arrival. tests/simulation/learned-path shows that
    /// such a buffer delays and drops as ns-3's device does.
    PathParameters WithSteadyTraffic(std::uint64_t seed, int seconds) const;

    /// Returns the buffer in bytes.
    double BufferBytes() const;
};

/// Draws `count` paths: rates from 1 to 100 Mbit/s, delays from 10 to 150 ms and buffers from 0.5
/// to 4 bandwidth-delay products, each log-uniform, and cross traffic uniformly from 0 to 60 %.
std::vector<KnownPath> DrawKnownPaths(int count, CrossKind crossKind);

/// Returns a scenario in which one flow crosses a link from "a" to "b" for `seconds`, and whose
/// packets there are recorded.
std::string
KnownPathScenario(const std::string& link, const std::string& crossTraffic, int seconds);

} // namespace geotrain
