// SPDX-License-Identifier: GPL-2.0-only
// PipeDream-2BW (Narayanan et al., ICML'21, section 3.1) is 1F1B without flush: an iteration's
// microbatches follow the last one's at once. Weights are one update late, W(t+1) = W(t) - lr
// grad(W(t-1)), so two versions of them are kept: one more copy. It needs m >= p.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order; m must be at least p.
ScheduleOrder PipeDream2Bw(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry PipeDream2BwEntry();

} // namespace geotrain
