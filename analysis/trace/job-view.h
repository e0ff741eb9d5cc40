// SPDX-License-Identifier: GPL-2.0-only
// A trace of several jobs holds the records of all of them. A job's view of it is what its trace would
// say if it ran alone: the common header with the job's own fields, the job's records, and those of
// the whole run. A run without jobs is the one job that has no name.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the names of the run's jobs by number; an empty name alone in a run without jobs.
std::vector<std::string> JobNames(const trace::RunHeader& run);

/// Returns the header of a job as if it ran alone; `job` is an index into JobNames().
trace::RunHeader HeaderOfJob(const trace::RunHeader& run, std::uint32_t job);

/// Returns how a job ended: the end of the run with the job's own fields.
trace::RunEnd EndOfJob(const trace::RunEnd& run, std::uint32_t job);

/// Returns whether a record is of the whole run, so that every job sees it.
bool IsOfRun(const trace::Record& record);

} // namespace geotrain
