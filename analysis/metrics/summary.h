// SPDX-License-Identifier: GPL-2.0-only
// Computes the summary of a run from its trace alone, over the measured iterations; summary.csv
// holds it. analysis/README.md defines each metric.
#pragma once

#include "metrics/run-summary.h"
#include "metrics/run-tally.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Reads `reader` to its end and summarises it. The trace of a killed run is summarised over the
/// measured iterations that ended. Throws TraceError when the trace is damaged or truncated,
/// contradicts itself (spans of a worker overlap), or holds no measured iteration that ended.
Summary Summarize(TraceReader& reader);

/// Summarises a trace that has been read.
Summary Summarize(const RunTally& tally);

/// Returns the mean of the distributions of several seeds; empty where no seed has one.
std::vector<DistributionStep> Pooled(const std::vector<Summary>& seeds,
                                     std::vector<DistributionStep> Summary::*distribution);

/// Writes the columns `metric,value,unit` to `path`. A number is the shortest text that reads back
/// the same.
void WriteSummaryCsv(const Summary& summary, const std::filesystem::path& path);

} // namespace geotrain
