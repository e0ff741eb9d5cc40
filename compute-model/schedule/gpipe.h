// GPipe (Huang et al., NeurIPS'19, section 2.3): all forwards, then all backwards, then the update. The
// backwards run in the order of the forwards, as PyTorch's ScheduleGPipe does; the paper draws the reverse.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

ScheduleOrder GPipe(const ScheduleRequest& request);

/// Its row of the catalogue.
ScheduleEntry GPipeEntry();

} // namespace geotrain
