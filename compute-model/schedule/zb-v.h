// SPDX-License-Identifier: GPL-2.0-only
// ZB-V (Qi et al., "Zero Bubble Pipeline Parallelism", section 6 of the extended version, arXiv
// 2401.10241 v1): worker w of p has the stages w and 2p-1-w. So a microbatch goes down the workers
// and back up, its forward ends where its backward begins, and every worker holds as many
// activations: no more than 1F1B's peak, 2p of half a worker's layers. With T_F = T_B = T_W and no
// hops there is no bubble. The search takes the paper's heuristic with its choices, each repeated
// with the bubbles that it had, for caps up to the given one, and a hill climb. Where a static order
// of the same memory is faster (schedule/static-rival.h), it runs.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order with two virtual stages per worker, whatever the request says. The cap is its
/// memoryCap or 2p, counted in virtual stages.
ScheduleOrder ZbV(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry ZbVEntry();

} // namespace geotrain
