// SPDX-License-Identifier: GPL-2.0-only
// Computes what summary.csv holds of a run of bulk messages: completion times, goodput,
// retransmissions, queueing, fairness.
#pragma once

#include "metrics/summary.h"

namespace geotrain
{

/// Reads `reader`, whose header has transfers, to its end. Of a killed run, what was delivered is
/// summed up. Throws TraceError when the trace is damaged or truncated, or no message was delivered
/// in it.
Summary SummarizeTransfers(TraceReader& reader);

} // namespace geotrain
