// SPDX-License-Identifier: GPL-2.0-only
// Computes the summary of a run from its trace alone, over the measured iterations; summary.csv
// holds it, for each job of a run that has several. analysis/README.md defines each metric.
#pragma once

#include "metrics/run-summary.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

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

/// Writes the columns `metric,value,unit,job,meaning` to `path`; `job` is empty for the whole run, and
/// `meaning` is a sentence. The metrics that matter most come first. A number is the shortest text
/// that reads back the same.
void WriteSummaryCsv(const Summary& summary, const std::filesystem::path& path);

} // namespace geotrain
