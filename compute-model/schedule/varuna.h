// Varuna (Athlur et al., EuroSys'22, section 4.1): a static order from an offline simulation of its rules (see
// just-in-time-scheduler.h) with the times that the request plans with, from which a worker deviates at run time: while its
// next gradient is late, the next forward whose input is here runs.
#pragma once

#include "schedule/schedule-entry.h"

namespace geotrain
{

/// The cap is the request's memoryCap, or p.
ScheduleOrder Varuna(const ScheduleRequest& request);

/// Its row of the catalogue.
ScheduleEntry VarunaEntry();

} // namespace geotrain
