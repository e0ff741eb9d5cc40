// SPDX-License-Identifier: GPL-2.0-only
// Computes the metrics of a run of bulk messages: completion times, goodput, retransmissions,
// queueing and fairness.
#pragma once

#include "metrics/run-summary.h"
#include "trace/trace-reader.h"

namespace geotrain
{

/// Reads `reader`, whose header must have transfers, to its end and summarises it. A killed run is
/// summarised over the messages that were delivered. Throws TraceError when the trace is damaged or
/// truncated, or holds no message that was delivered.
Summary SummarizeTransfers(TraceReader& reader);

} // namespace geotrain
