// SPDX-License-Identifier: GPL-2.0-only
// Draws the pipeline timelines of several runs below each other on one time axis: of each run
// the replica on which most of the last iteration's critical path lies, with a row per stage. Rows
// have no labels, since the figure compares patterns.
#pragma once

#include "figures/figure-place.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A NamedTrace is the trace of a run, or of one of its jobs, and the name that figures give it.
struct NamedTrace
{
    std::string name;
    std::filesystem::path trace;
    std::uint32_t job = 0; ///< number
};

/// Draws each run's last iteration at `place` and returns the files. `runs`
/// must not be empty. `setting` says what the runs have in common; it stands in the label of the
/// time axis. Throws TraceError when a trace is at fault, when gnuplot is missing or fails, or when
/// a file can't be written.
std::vector<std::filesystem::path> DrawStackedTimelines(const std::vector<NamedTrace>& runs,
                                                        const std::string& setting,
                                                        const FigurePlace& place);

/// Draws the jobs of training of one run in a group each, over the last iteration of the job that
/// ends first. Returns the files. Throws TraceError as DrawStackedTimelines() does.
std::vector<std::filesystem::path> DrawJobTimelines(const std::vector<const RunTally*>& jobs,
                                                    const FigurePlace& place);

} // namespace geotrain
