// SPDX-License-Identifier: GPL-2.0-only
// Makes the results of a run from its trace alone: tables, figures and report, for each of its
// jobs.
#pragma once

#include "figures/figure-place.h"
#include "metrics/run-tally.h"
#include "metrics/summary.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// RunResults are what the trace of a run says.
class RunResults
{
  public:
    /// Reads the trace. Throws TraceError when it is damaged or truncated.
    explicit RunResults(std::filesystem::path trace);

    /// Summarises the run. A training that was killed before a measured iteration ended has no
    /// metrics. Throws TraceError where no message was delivered.
    Summary Summarize() const;

    /// Writes critical-path.csv of a training and flows.csv of flows into `folder`. Those of a job
    /// with a name are critical-path-JOB.csv and flows-JOB.csv.
    void WriteTables(const std::filesystem::path& folder) const;

    /// Draws the figures of all jobs and, of several trainings, `timeline` with a group for each.
    /// `folder` must exist. Returns the files. Throws TraceError as DrawRunFigures() does.
    std::vector<std::filesystem::path> DrawFigures(const FigurePlace& folder) const;

  private:
    std::filesystem::path m_trace;
    trace::RunHeader m_header;
    std::vector<std::string> m_jobs;                ///< their names, by number
    std::vector<std::optional<RunTally>> m_tallies; ///< by job; of those that train
    trace::RunEnd m_end;                            ///< empty where no job trains
};

} // namespace geotrain
