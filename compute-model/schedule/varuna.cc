#include "schedule/varuna.h"

#include "schedule/just-in-time-scheduler.h"

#include <algorithm>

namespace geotrain
{

ScheduleOrder
Varuna(const ScheduleRequest& request)
{
    const std::uint32_t cap =
        std::min(request.memoryCap.value_or(request.stages), request.microbatches);
    return ScheduleJustInTime(request, std::vector<std::uint32_t>(request.stages, cap), 1);
}

} // namespace geotrain
