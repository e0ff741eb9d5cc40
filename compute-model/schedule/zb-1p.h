// SPDX-License-Identifier: GPL-2.0-only
// ZB-1p (Qi et al., ICLR'24, section 4) is the best order of forwards, input gradients and weight
// gradients that a search finds with the activations of p microbatches on a worker, 1F1B's peak.
// See zb-2p.h.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. With v virtual stages the cap is v p activations of a virtual stage. p must
/// divide m, or v be 1.
ScheduleOrder Zb1p(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry Zb1pEntry();

} // namespace geotrain
