// SPDX-License-Identifier: GPL-2.0-only
// A schedule as text: a row a worker, time from left to right, each computation as its letter, the
// number of its microbatch, and as many dashes as it lasts; dots are idle.
#pragma once

#include "cli/schedule-run.h"

#include <string>

namespace geotrain
{

/// At most `columns` characters of time.
std::string SchedulePicture(const ScheduleRunResult& result, std::size_t columns);

/// "F0 F1 B0 ...": the order of a worker; with virtual stages, each after its stage ("2B0").
std::string OrderText(const ScheduleOrder& order, std::uint32_t worker);

} // namespace geotrain
