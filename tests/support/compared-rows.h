// SPDX-License-Identifier: GPL-2.0-only
// Makes rows of comparisons from metrics that are written beside the test, and reads their CSV.
#pragma once

#include "comparison/comparison-table.h"
#include "csv-rows.h"

#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// Returns a summary with these metrics.
inline Summary
SummaryOfMetrics(std::vector<Metric> metrics)
{
    Summary summary;
    summary.metrics = std::move(metrics);
    return summary;
}

/// Returns the summary of a training whose iteration takes `seconds`.
inline Summary
IterationOf(double seconds)
{
    return SummaryOfMetrics({{"iteration_time", seconds, "s"}});
}

/// Returns a variant with a summary per seed.
inline ComparisonRow
RowOf(const std::string& variant, std::vector<Summary> seeds)
{
    ComparisonRow row;
    row.variant = variant;
    row.summaries = std::move(seeds);
    return row;
}

/// Returns a variant that ended with `code` and said `error`.
inline ComparisonRow
FailedRow(const std::string& variant, int code, const std::string& error)
{
    ComparisonRow row;
    row.variant = variant;
    row.exitCode = code;
    row.error = error;
    return row;
}

/// Returns the names of the columns of a CSV text.
inline std::vector<std::string>
HeadsOf(const std::string& csv)
{
    return CsvFields(csv.substr(0, csv.find('\n')));
}

} // namespace geotrain
