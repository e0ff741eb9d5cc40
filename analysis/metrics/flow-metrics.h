// SPDX-License-Identifier: GPL-2.0-only
// Computes the metrics of a run of flows, of the whole run and of each flow: goodput, fairness,
// convergence, queueing, round trips, retransmissions and completion times.
#pragma once

#include "metrics/convergence-time.h"
#include "metrics/flow-tally.h"
#include "metrics/run-summary.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// FlowResults are the metrics of one flow. Times of the run before its start and after its stop
/// don't count.
struct FlowResults
{
    double seconds = 0;      ///< from its start to its stop
    double goodputBps = 0;   ///< payload that was delivered / that time
    double fairShareBps = 0; ///< mean of its max-min fair share of payload; 0: it is not steady
    std::string bottleneck;  ///< link of its path with the highest utilisation
    std::vector<double> queueSeconds; ///< of its path, by sample; sorted
    /// Time from a steady flow's start, after time 0, until it has its fair share; see
    /// analysis/README.md.
    std::optional<double> convergenceSeconds;
    LeaveConvergence afterLeaves; ///< of a steady flow
};

/// Returns the results of all flows, in the order of the header.
std::vector<FlowResults> ResultsOf(const FlowTally& tally);

/// Summarises a run of flows. Throws TraceError where it measured no time.
Summary SummarizeFlows(TraceReader& reader);

} // namespace geotrain
