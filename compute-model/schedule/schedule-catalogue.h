// The schedules by name, as `geotrain list schedules` shows them.
#pragma once

#include "schedule/schedule-order.h"

#include <string>
#include <vector>

namespace geotrain
{

struct ScheduleEntry
{
    std::string name;
    std::string description;
    std::string source; ///< paper and section
    ScheduleOrder (*make)(const ScheduleRequest&);
};

const std::vector<ScheduleEntry>& ScheduleCatalogue();

/// nullptr if there is none of that name.
const ScheduleEntry* FindSchedule(const std::string& name);

} // namespace geotrain
