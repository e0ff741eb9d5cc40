// The schedules by name, as `geotrain list schedules` shows them, and what follows from a schedule's row.
#pragma once

#include "schedule/schedule-entry.h"

#include <string>
#include <vector>

namespace geotrain
{

const std::vector<ScheduleEntry>& ScheduleCatalogue();

/// nullptr if there is none of that name.
const ScheduleEntry* FindSchedule(const std::string& name);

/// The names of the schedules that have a trait, such as "pipedream-2bw, pipemare" for &ScheduleEntry::isAsynchronous.
std::string NamesOfSchedules(bool ScheduleEntry::*trait);

/// Why the schedule has no order of that shape, with its name; empty where it has one. A search may still find none.
std::string RefusalOf(const ScheduleEntry& entry, const ScheduleShape& shape);

/// The order. Throws std::invalid_argument with RefusalOf() where the shape is refused, or a search finds no order.
ScheduleOrder MakeSchedule(const ScheduleEntry& entry, const ScheduleRequest& request);

/// Of a worker, where a scenario says nothing.
std::uint32_t DefaultVirtualStages(const ScheduleEntry& entry);

/// Activations that each worker holds at most, in a shape that is not refused.
std::vector<std::uint32_t> MostActivations(const ScheduleEntry& entry, const ScheduleShape& shape);

/// By virtual stage: the worker that runs it.
std::vector<std::uint32_t> WorkersOfStages(const ScheduleEntry& entry, const ScheduleShape& shape);

} // namespace geotrain
