// What summary.csv holds of a run of bulk messages: completion times, goodput, retransmissions,
// queueing, fairness.
#pragma once

#include "metrics/summary.h"

namespace geotrain
{

/// Reads `reader`, whose header has transfers, to its end; what was delivered of a killed run is
/// summed up. Throws TraceError when the trace is damaged or truncated, or no message was delivered
/// in it.
Summary SummarizeTransfers(TraceReader& reader);

} // namespace geotrain
