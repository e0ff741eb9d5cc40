// SPDX-License-Identifier: GPL-2.0-only
// Measures how long steady flows take until they have their fair share: a flow after it has joined,
// and those that stay after another has left (RFC 5166, fairness and convergence).
#pragma once

#include "metrics/flow-tally.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// Returns the time in s from a flow's start until its goodput, over the next 50 round trips or 1 s,
/// is within 10 % of its fair share at that moment; nothing where that does not come before `endNs`.
std::optional<double>
ConvergenceOfJoin(const trace::TransferFlow& flow, const FlowSeries& series, std::int64_t endNs);

/// LeaveConvergence says how the flows that stay have converged after others have left.
struct LeaveConvergence
{
    std::size_t changes = 0;     ///< flows that stay, summed over the times at which others leave
    std::vector<double> seconds; ///< of those that converge before their fair share changes again
};

/// Returns that of the flow with this number, for which `changes` counts the times at which another
/// steady flow leaves and its own fair share changes.
LeaveConvergence ConvergenceAfterLeaves(const FlowTally& tally, std::size_t flow);

} // namespace geotrain
