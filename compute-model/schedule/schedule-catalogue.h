// SPDX-License-Identifier: GPL-2.0-only
// Lists the schedules by name, as `geotrain list schedules` shows them, and derives what follows
// from a schedule's row.
#pragma once

#include "schedule/schedule-entry.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns all schedules in the order in which they are listed.
const std::vector<ScheduleEntry>& ScheduleCatalogue();

/// Finds a schedule; nullptr if there is none of that name.
const ScheduleEntry* FindSchedule(const std::string& name);

/// Returns the names of the schedules that have a trait, such as "pipedream-2bw, pipemare" for
/// &ScheduleEntry::isAsynchronous.
std::string NamesOfSchedules(bool ScheduleEntry::*trait);

/// Returns why the schedule has no order of that shape, with its name; empty where it has one. A
/// search may still find none.
std::string RefusalOf(const ScheduleEntry& entry, const ScheduleShape& shape);

/// Makes the order. Throws std::invalid_argument with RefusalOf() where the shape is refused, or
/// where a search finds no order.
ScheduleOrder MakeSchedule(const ScheduleEntry& entry, const ScheduleRequest& request);

/// Returns the virtual stages per worker where a scenario does not set them.
std::uint32_t DefaultVirtualStages(const ScheduleEntry& entry);

/// Returns the most activations that each worker holds, in a shape that is not refused.
std::vector<std::uint32_t> MostActivations(const ScheduleEntry& entry, const ScheduleShape& shape);

/// Returns, by virtual stage, the worker that runs it.
std::vector<std::uint32_t> WorkersOfStages(const ScheduleEntry& entry, const ScheduleShape& shape);

} // namespace geotrain
