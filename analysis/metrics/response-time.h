// SPDX-License-Identifier: GPL-2.0-only
// Measures how fast flows take what they newly may: after a link's rate rose, an outage ended or
// another flow left (RFC 5166, section 2.2.1).
#pragma once

#include "metrics/flow-tally.h"

#include <optional>

namespace geotrain
{

/// Returns the mean time in s from a rise of a steady flow's fair share until its goodput, over the
/// last five round trips or 0.1 s, is 90 % of the new share. A rise to which the flow does not come
/// before its share changes again or it stops counts with all of that time. Nothing where no share
/// rises while its flow sends.
std::optional<double> ResponseSeconds(const FlowTally& tally);

} // namespace geotrain
