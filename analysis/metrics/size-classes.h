// SPDX-License-Identifier: GPL-2.0-only
// Computes completion times by the size of messages, for flows whose sizes are drawn: of up to 10
// kB, 100 kB, 1 MB, 10 MB, and above, as DCTCP (Alizadeh et al., SIGCOMM'10, figure 22) shows them.
#pragma once

#include "metrics/flow-tally.h"
#include "metrics/run-summary.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns completion_time_p50, _p99 and _mean, and the number of messages, of each class that has a
/// message, over all flows; nothing where no flow draws its sizes.
std::vector<Metric> CompletionBySize(const FlowTally& tally);

/// Returns the names of all metrics that CompletionBySize() can return.
std::vector<std::string> SizeClassMetricNames();

} // namespace geotrain
