// SPDX-License-Identifier: GPL-2.0-only
// Finds what a run warns of: before it, what its network ignores or is known to be wrong at; after
// it, what was lost, and jobs whose slowdown was measured partly without another's traffic.
#pragma once

#include "loader/experiment.h"
#include "runner/workload.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns what a reader must know before the result, what the network ignores, and which WAN links
/// idle though `pairs` have their ends.
std::vector<std::string> FindWarningsBefore(const Experiment& experiment,
                                            const std::vector<NodePair>& pairs);

/// Returns what a run of those workloads on that network has shown.
std::vector<std::string>
FindWarningsAfter(const Experiment& experiment, const Workloads& workloads, const Network& network);

} // namespace geotrain
