// SPDX-License-Identifier: GPL-2.0-only
// Compares iteration times over the round trip of the WAN. Variants with the same round trip form a
// group; variants that differ in the round trip alone form a series. It applies to a comparison
// whose variants set the delay of WAN links by one field path, such as wan_link[*].delay.
#pragma once

#include "figures/comparison.h"
#include "figures/grouped-bars-figure.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A RoundTripComparison is the variants arranged by round trip.
struct RoundTripComparison
{
    GroupedBars iterationTimes;

    /// Variants with the longest round trip: the name of the series and the variant's index.
    std::vector<std::pair<std::string, std::size_t>> atTheLongest;
};

/// Arranges the variants of `comparison` by round trip. Returns nullopt where none or several of
/// the varied paths set delays, or where there are fewer than two round trips.
std::optional<RoundTripComparison> CompareRoundTrips(const Comparison& comparison);

} // namespace geotrain
