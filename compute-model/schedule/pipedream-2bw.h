// PipeDream-2BW (Narayanan et al., ICML'21, section 3.1): 1F1B without flush. An iteration's microbatches follow the
// last one's at once; weights are one update late, W(t+1) = W(t) - lr grad(W(t-1)), so that two versions of them are
// kept: one more copy. Needs m >= p.
#pragma once

#include "schedule/schedule-order.h"

namespace geotrain
{

/// Throws std::invalid_argument if there are fewer microbatches than stages.
ScheduleOrder PipeDream2Bw(const ScheduleRequest& request);

} // namespace geotrain
