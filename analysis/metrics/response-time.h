// SPDX-License-Identifier: GPL-2.0-only
// Measures how fast flows take what they newly may: after a link's rate rose, an outage ended or
// another flow left (RFC 5166, response to changes).
#pragma once

#include "metrics/flow-tally.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace geotrain
{

/// Returns the times in s from each rise of a steady flow's fair share, and from the end of each
/// outage on its path, until its goodput, over the last five round trips or 0.1 s, is 90 % of its fair
/// share. Where it does not come to that before the next change, or before it stops or the run ends
/// at `endNs`, all of that time counts.
std::vector<double>
ResponsesOf(const trace::TransferFlow& flow, const FlowSeries& series, std::int64_t endNs);

/// Returns the mean of ResponsesOf() all flows; nothing where there is none.
std::optional<double> ResponseSeconds(const FlowTally& tally);

} // namespace geotrain
