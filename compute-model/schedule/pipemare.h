// SPDX-License-Identifier: GPL-2.0-only
// PipeMare (Yang et al., MLSys'21, section 2) has no flush and no stashed weights: each computation
// takes the latest weights. A forward of stage s of p (from 1) is 2(p-s)+1 microbatches before its
// backward, so that its weights are (2(p-s)+1)/m updates old; the stage holds that many
// activations. Its corrections (learning rate, discrepancy) cost no time here and are left out.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order, whose cap is 2(p-s)+1 activations on stage s of p (from 1).
ScheduleOrder PipeMare(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry PipeMareEntry();

} // namespace geotrain
