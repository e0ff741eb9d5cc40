// The schedules by name, as `geotrain list schedules` shows them.
#pragma once

#include "schedule/schedule-order.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Which virtual stages a schedule gives a worker.
enum class StageLayout : std::uint8_t
{
    OneEach,
    RoundRobin, ///< as many as the request says
    Wave        ///< two: down the pipeline and back up
};

struct ScheduleEntry
{
    std::string name;
    std::string description;
    std::string source; ///< paper and section
    ScheduleOrder (*make)(const ScheduleRequest&);
    StageLayout layout = StageLayout::OneEach;
    bool knowsTurns = false; ///< plans for the pipelines of a DP-cell together
};

const std::vector<ScheduleEntry>& ScheduleCatalogue();

/// nullptr if there is none of that name.
const ScheduleEntry* FindSchedule(const std::string& name);

/// The virtual stages of each worker under `entry`; empty: one each.
std::vector<std::vector<std::uint32_t>>
StagesOfWorkers(const ScheduleEntry& entry, std::uint32_t workers, std::uint32_t virtualStages);

/// The order. Throws std::invalid_argument where the request asks for what the schedule doesn't have (virtual
/// stages, a cell), or its memory cap is above the request's.
ScheduleOrder MakeSchedule(const ScheduleEntry& entry, const ScheduleRequest& request);

} // namespace geotrain
