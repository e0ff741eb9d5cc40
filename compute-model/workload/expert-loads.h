// SPDX-License-Identifier: GPL-2.0-only
// Draws how many of a layer's tokens each routed expert is sent. Training keeps loads even by an
// auxiliary loss or a bias, and never quite does.
#pragma once

#include "workload/expert-spec.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// Returns the share of all (token, expert) pairs that each expert takes, over the even share, so
/// that they are 1 on average: log-normal draws of relative deviation `imbalance` by the spec's seed,
/// and all 1 without it. With a capacity factor each expert takes that many.
std::vector<double> ExpertLoads(const ExpertSpec& experts);

/// Returns the largest sum of loads of one of `parts` equal runs of experts, over the parts' average:
/// how much more the busiest GPU of an expert-parallel group has to do. Throws std::invalid_argument
/// where `parts` doesn't divide the experts.
double BusiestPart(const ExpertSpec& experts, std::uint32_t parts);

} // namespace geotrain
