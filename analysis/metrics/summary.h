// The summary of a run, from its trace alone, over the measured iterations: what summary.csv holds.
// Each metric is defined in analysis/README.md.
#pragma once

#include "metrics/run-tally.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

struct Metric
{
    std::string name;
    double value = 0;
    std::string unit;     ///< "s"; empty for shares and counts, and where the name ends in the unit
    double halfWidth = 0; ///< of the 95 % interval of a mean over seeds; 0: of one run
};

struct Summary
{
    trace::RunHeader header;
    std::vector<Metric> metrics; ///< in the order of summary.csv
    std::vector<std::string> warnings;
    std::vector<double>
        ttftQuantiles; ///< of served requests, s: 1 % to 100 %; empty where there are none
    std::vector<double>
        completionQuantiles; ///< of bulk messages, s: 1 % to 100 %; empty in a run of training
    std::uint32_t iterations =
        0; ///< measured; fewer than the header says in an unfinished run; 0 without training
    bool complete = false; ///< the run ended and all of its work was done

    /// The value of a metric that this run has.
    std::optional<double> Find(std::string_view name) const;
};

/// Reads `reader` to its end. Throws TraceError when the trace is damaged or truncated, contradicts
/// itself (spans of a worker overlap), or no measured iteration has ended in it. The trace of a
/// killed run is summed up over the measured iterations that ended.
Summary Summarize(TraceReader& reader);

/// The same of a trace that has been read.
Summary Summarize(const RunTally& tally);

/// `metric,value,unit`, numbers as the shortest text that reads back the same.
void WriteSummaryCsv(const Summary& summary, const std::filesystem::path& path);

} // namespace geotrain
