// SPDX-License-Identifier: GPL-2.0-only
// 1F1B (PipeDream-Flush; Narayanan et al., SC'21, section 2.2.1): stage s of p (from 0) runs p-1-s
// warm-up forwards, then one forward and one backward in turn, then the backwards that are left.
// `warmupFactor` f makes the warm-up f (p-1-s) deep. More microbatches under way hide more of a
// WAN's latency, for f (p-1-s) + 1 live activations.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order, whose cap is OneForwardOneBackwardActivations().
ScheduleOrder OneForwardOneBackward(const ScheduleRequest& request);

/// Returns f (p-1-s) + 1 for worker s, at most m.
std::uint32_t OneForwardOneBackwardActivations(std::uint32_t worker, const ScheduleShape& shape);

/// Returns the schedule's row of the catalogue.
ScheduleEntry OneForwardOneBackwardEntry();

} // namespace geotrain
