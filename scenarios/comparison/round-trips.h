// A comparison over the round trip of the WAN: the variants of each round trip as a group, those that
// differ in nothing else as a series. For a comparison whose variants set the delay of WAN links by
// one path, like wan_link[*].delay.
#pragma once

#include "comparison/comparison-table.h"
#include "figures/grouped-bars-figure.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

struct RoundTripComparison
{
    GroupedBars iterationTimes; ///< of the variants that did not fail

    /// Those with the longest round trip: name of the series, and of the variant.
    std::vector<std::pair<std::string, std::string>> atTheLongest;
};

/// Nothing where no path or several paths set delays, or where there are fewer than two round trips.
std::optional<RoundTripComparison> CompareRoundTrips(const ComparisonTable& table);

} // namespace geotrain
