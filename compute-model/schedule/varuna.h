// SPDX-License-Identifier: GPL-2.0-only
// Varuna (Athlur et al., EuroSys'22, section 4.1) is a static order from an offline simulation of
// its rules (just-in-time-scheduler.h) with the times with which the request plans. A worker
// deviates from it at run time: while its next gradient is late, the next forward whose input is
// here runs.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// Makes the order. The cap is the request's memoryCap, or p.
ScheduleOrder Varuna(const ScheduleRequest& request);

/// Returns the schedule's row of the catalogue.
ScheduleEntry VarunaEntry();

} // namespace geotrain
