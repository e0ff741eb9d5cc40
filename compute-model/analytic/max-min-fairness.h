// SPDX-License-Identifier: GPL-2.0-only
// Computes max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks,
// section 6.5.2): all rates rise together; where a link fills, the flows on it stop.
#pragma once

#include <cstddef>
#include <vector>

namespace geotrain
{

/// A FlowGroup is `weight` flows over the same links, each of which gets the same rate.
struct FlowGroup
{
    std::vector<std::size_t> links; ///< indices into the capacities, each at most once
    double weight = 1;              ///< number of flows, positive
    double rateLimit = 0;           ///< limit per flow, by its window; 0: none
};

/// Returns the rate of one flow of each group, in the unit of `capacities`, which must be positive.
/// A flow without links or limit gets infinity.
std::vector<double> MaxMinFairRates(const std::vector<FlowGroup>& groups,
                                    const std::vector<double>& capacities);

} // namespace geotrain
