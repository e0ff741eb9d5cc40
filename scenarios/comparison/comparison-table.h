// SPDX-License-Identifier: GPL-2.0-only
// The results of a comparison: a row a variant, its metrics, its speed-up over the first; as CSV,
// JSON, and a table for people.
#pragma once

#include "figures/comparison.h"
#include "metrics/summary.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A warning that runs of a comparison gave, and the variants that it concerns.
struct ComparedWarning
{
    std::string text;
    std::vector<std::string> variants;
};

struct ComparisonRow
{
    std::string variant;
    std::vector<std::string> values; ///< of the varied paths
    int exitCode = 0;                ///< the first that is not 0 among its runs
    std::string error;               ///< of that run, in a line
    std::vector<Summary> summaries;  ///< a run with each seed; empty when one failed
};

class ComparisonTable
{
  public:
    ComparisonTable(std::vector<std::string> variedPaths, std::vector<ComparisonRow> rows);

    const std::vector<ComparisonRow>& Rows() const;
    const std::vector<std::string>& VariedPaths() const;

    /// `variant`, the varied paths, a column for each metric (its mean over the seeds), `speedup`;
    /// with several seeds then `METRIC_ci95`, half the width of the 95 % interval. A variant that
    /// failed has empty cells.
    std::string Csv() const;

    nlohmann::ordered_json Json() const;

    std::string Text() const;

    /// Each text once, in the order in which the rows give them.
    std::vector<ComparedWarning> Warnings() const;

    /// Warnings() for people: a line each, with the variants where they are not all.
    std::string WarningText() const;

    /// Whether what is compared are runs of bulk messages, not of training.
    bool IsOfTransfers() const;

    /// The variants that did not fail, with the means as metrics, and their intervals; without
    /// traces.
    Comparison Means() const;

  private:
    struct Cell
    {
        double mean = 0;
        double halfWidth = 0;
    };

    std::vector<std::string> MetricColumns() const;
    std::optional<Cell> CellOf(const ComparisonRow& row, const std::string& column) const;
    std::optional<double> Speedup(const ComparisonRow& row) const;
    bool HasSeveralSeeds() const;
    std::string MainColumn() const;

    std::vector<std::string> m_variedPaths;
    std::vector<ComparisonRow> m_rows;
};

/// The first metric of a run of training, and of one of bulk messages: what the speed-up is of.
constexpr const char* iterationTimeColumn = "iteration_time_s";
constexpr const char* completionTimeColumn = "completion_time_p50_s";

/// "iteration_time_s": the metric's name with its unit.
std::string ColumnName(const Metric& metric);

} // namespace geotrain
