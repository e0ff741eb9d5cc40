// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/varuna.h"

#include "schedule/just-in-time-scheduler.h"

#include <algorithm>

namespace geotrain
{

namespace
{

std::uint32_t
VarunaActivations(std::uint32_t, const ScheduleShape& shape)
{
    return std::min(shape.memoryCap.value_or(shape.stages), shape.microbatches);
}

} // namespace

ScheduleOrder
Varuna(const ScheduleRequest& request)
{
    const std::vector<std::uint32_t> caps(request.stages, VarunaActivations(0, request));
    return ScheduleJustInTime(request, caps, 1);
}

ScheduleEntry
VarunaEntry()
{
    ScheduleEntry entry;
    entry.name = "varuna";
    entry.description =
        "backwards first, recomputation just in time, forwards up to the cap; deviates where a "
        "gradient is late";
    entry.source = "Athlur et al., EuroSys'22, section 4.1";
    entry.make = &Varuna;
    entry.mostActivations = &VarunaActivations;
    entry.recomputesAhead = true;
    return entry;
}

} // namespace geotrain
