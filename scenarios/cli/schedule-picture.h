// SPDX-License-Identifier: GPL-2.0-only
// Draws a schedule as text: a row per worker, time from left to right up to the makespan. A
// computation is its letter, the number of its microbatch where it fits, and dashes for the rest of
// its time; dots are idle time.
#pragma once

#include "cli/schedule-run.h"

#include <string>

namespace geotrain
{

/// Returns the picture, with at most `columns` characters for the time axis.
std::string SchedulePicture(const ScheduleRunResult& result, std::size_t columns);

/// Returns a time in a unit that suits it, such as "424.5 ms".
std::string TimeText(Duration span);

/// Returns the order of a worker as "F0 F1 B0 ..."; with virtual stages, each operation has its
/// stage in front ("2B0").
std::string OrderText(const ScheduleOrder& order, std::uint32_t worker);

} // namespace geotrain
