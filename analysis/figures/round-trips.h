// SPDX-License-Identifier: GPL-2.0-only
// A comparison over the round trip of the WAN: the variants of each round trip are a group, those
// that differ in nothing else are a series. It is for a comparison whose variants set the delay of
// WAN links by one path, like wan_link[*].delay.
#pragma once

#include "figures/comparison.h"
#include "figures/grouped-bars-figure.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

struct RoundTripComparison
{
    GroupedBars iterationTimes;

    /// Those with the longest round trip: name of the series, and the variant's index.
    std::vector<std::pair<std::string, std::size_t>> atTheLongest;
};

/// Nothing where no path or several paths set delays, or where there are fewer than two round
/// trips.
std::optional<RoundTripComparison> CompareRoundTrips(const Comparison& comparison);

} // namespace geotrain
