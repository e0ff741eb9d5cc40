// SPDX-License-Identifier: GPL-2.0-only
// GPipe (Huang et al., NeurIPS'19, section 2.3) runs all forwards, then all backwards, then the
// update. The backwards run in the order of the forwards, as in PyTorch's ScheduleGPipe; the paper
// draws the reverse.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order, whose cap is m activations.
ScheduleOrder GPipe(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry GPipeEntry();

} // namespace geotrain
