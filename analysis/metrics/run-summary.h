// SPDX-License-Identifier: GPL-2.0-only
// Holds the metrics of a run and what else its summary says.
#pragma once

#include "metrics/critical-path.h"
#include "metrics/statistics.h"
#include "schema/trace.pb.h"

#include <cstdint>
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

/// Returns the number of GPUs that train.
double GpusOf(const trace::RunHeader& header);

/// RunNotes are what a trace says of the run itself.
struct RunNotes
{
    std::vector<std::string> warnings;
    std::string doubt;     ///< why the result is not to be trusted, in a phrase; empty where it is
    bool complete = false; ///< true: the run ended and all of its work was done

    /// Takes what a record says of the run; most say nothing.
    void Take(const trace::Record& record);
};

/// A Summary holds all metrics of a run, or of one of its jobs.
struct Summary : RunNotes
{
    trace::RunHeader header;
    std::vector<Metric> metrics; ///< by subject; summary.csv has the main ones first
    /// TTFT in s among all requests that ended, served or not; empty where none was served.
    std::vector<DistributionStep> ttft;
    /// Completion time in s among all bulk messages of the run; empty in a run of training.
    std::vector<DistributionStep> completionTimes;
    /// Time of each kind of step on the last iteration's critical path; empty without training.
    std::vector<PathTime> criticalPath;
    /// Measured iterations that ended, and those that repeat the last one: fewer than the header says in
    /// an unfinished run, 0 without training.
    std::uint32_t iterations = 0;
    /// Packets that the WAN's links lost at random or in outages, in the measured time; unset where the
    /// trace does not tell, as one of flows doesn't.
    std::optional<std::uint64_t> lostPackets;
    /// Of a run with jobs: those of each, by number. The metrics above are then of the whole run.
    std::vector<Summary> jobs;

    /// Returns the metric of this name; null where the run does not have it.
    const Metric* MetricNamed(std::string_view name) const;

    /// Returns the value of a metric, if this run has it.
    std::optional<double> Find(std::string_view name) const;

    /// Returns whether links lose packets at random and none of this run's packets was hit, so that
    /// the run says nothing about loss.
    bool WasMissedByLoss() const;
};

} // namespace geotrain
