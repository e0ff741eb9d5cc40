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

} // namespace geotrain
