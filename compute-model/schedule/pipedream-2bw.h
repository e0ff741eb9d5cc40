// PipeDream-2BW (Narayanan et al., ICML'21, section 3.1): 1F1B without flush. An iteration's microbatches follow the
// last one's at once; weights are one update late, W(t+1) = W(t) - lr grad(W(t-1)), so that two versions of them are
// kept: one more copy. Needs m >= p.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

ScheduleOrder PipeDream2Bw(const ScheduleRequest& request);

/// Its row of the catalogue.
ScheduleEntry PipeDream2BwEntry();

} // namespace geotrain
