// SPDX-License-Identifier: GPL-2.0-only
// Computes the summary of a run from its trace alone, over the measured iterations; summary.csv
// holds it, for each job of a run that has several. analysis/README.md defines each metric.
#pragma once

#include "metrics/critical-path.h"
#include "metrics/run-tally.h"
#include "metrics/statistics.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// A Metric is one row of summary.csv.
struct Metric
{
    std::string name;
    double value = 0;
    /// Unit such as "s"; empty for shares and counts, and where the name ends in the unit.
    std::string unit;
    /// Half of the 95 % interval of a mean over seeds; 0 for one run.
    double halfWidth = 0;
};

/// Returns why a result is not to be trusted: the text of an untrusted warning up to its first colon.
/// Empty for any other warning.
std::string DoubtOf(const trace::Warning& warning);

/// A Summary holds all metrics of a run, or of one of its jobs.
struct Summary
{
    trace::RunHeader header;
    std::vector<Metric> metrics; ///< in the order of summary.csv
    std::vector<std::string> warnings;
    std::string doubt; ///< why the result is not to be trusted, in a phrase; empty where it is
    /// TTFT in s among all requests that ended, served or not; empty where none was served.
    std::vector<DistributionStep> ttft;
    /// Completion time in s among all bulk messages of the run; empty in a run of training.
    std::vector<DistributionStep> completionTimes;
    /// Time of each kind of step on the last iteration's critical path; empty without training.
    std::vector<PathTime> criticalPath;
    /// Measured iterations that ended: fewer than the header says in an unfinished run, 0 without
    /// training.
    std::uint32_t iterations = 0;
    /// Packets that the WAN's links lost at random or in outages, in the measured time; unset where the
    /// trace does not tell, as one of flows doesn't.
    std::optional<std::uint64_t> lostPackets;
    bool complete = false; ///< true: the run ended and all of its work was done
    /// Of a run with jobs: those of each, by number. The metrics above are then of the whole run.
    std::vector<Summary> jobs;

    /// Returns the value of a metric, if this run has it.
    std::optional<double> Find(std::string_view name) const;

    /// Returns whether links lose packets at random and none of this run's packets was hit, so that
    /// the run says nothing about loss.
    bool WasMissedByLoss() const;
};

/// Reads `reader` to its end and summarises the job that it shows. The trace of a killed run is
/// summarised over the measured iterations that ended. Throws TraceError when the trace is damaged
/// or truncated, contradicts itself (spans of a worker overlap), or holds no measured iteration
/// that ended.
Summary Summarize(TraceReader& reader);

/// Summarises a trace that has been read.
Summary Summarize(const RunTally& tally);

/// Summarises a run with all of its jobs. Throws TraceError as Summarize() does.
Summary SummarizeRun(const std::string& trace);

/// Returns the summary of a run that has `header`, ended with `end`, and whose jobs have the
/// summaries `jobs`. It is that of the only job where the run has none by name.
Summary JoinSummaries(const trace::RunHeader& header,
                      const trace::RunEnd& end,
                      std::vector<Summary> jobs);

/// Returns the summary itself and those of its jobs, in the order of summary.csv.
std::vector<const Summary*> PartsOf(const Summary& summary);

/// Returns the mean of the distributions of several seeds; empty where no seed has one.
std::vector<DistributionStep> Pooled(const std::vector<Summary>& seeds,
                                     std::vector<DistributionStep> Summary::*distribution);

/// Writes the columns `metric,value,unit,job` to `path`; `job` is empty for the whole run. A number
/// is the shortest text that reads back the same.
void WriteSummaryCsv(const Summary& summary, const std::filesystem::path& path);

} // namespace geotrain
