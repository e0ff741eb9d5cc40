// SPDX-License-Identifier: GPL-2.0-only
// Holds the results of a comparison, a row per variant and job with its metrics and its speed-up
// over the first variant. It prints them as CSV and as JSON.
#pragma once

#include "comparison/mean-interval.h"
#include "comparison/warning-groups.h"
#include "figures/comparison.h"
#include "metrics/summary.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A ComparisonRow is the results of one variant: of its runs as a whole, or of one job in them.
struct ComparisonRow
{
    std::string variant;
    std::vector<std::string> values; ///< values of the varied paths; empty where not set
    int exitCode = 0;                ///< exit code of the first run that failed; else 0
    std::string error;               ///< first line of that run's messages
    std::vector<Summary> summaries;  ///< one per seed; empty where a run failed
    std::string title = {};          ///< phrase for people; where empty, the variant's name
    std::string job = {};            ///< its name; empty for the whole runs
    std::uint32_t jobNumber = 0;
};

/// Returns a metric of the row's runs, by its name with its unit; empty where they don't have it.
std::vector<double> SamplesOf(const ComparisonRow& row, const std::string& column);

/// Returns whether links of the row's runs lose packets at random, and none of the runs' was hit.
bool WasMissedByLoss(const ComparisonRow& row);

/// ComparedKind is what runs of a job are about.
enum class ComparedKind
{
    Training,
    Messages, ///< bulk messages
    Flows     ///< that send side by side
};

/// ComparisonTable is the table of all variants.
class ComparisonTable
{
  public:
    /// Each row must have a value for each of `variedPaths`, and be of whole runs.
    ComparisonTable(std::vector<std::string> variedPaths, std::vector<ComparisonRow> rows);

    const std::vector<ComparisonRow>& Rows() const;
    const std::vector<std::string>& VariedPaths() const;

    /// Returns the columns of metrics, such as "iteration_time_s", in the order in which they come
    /// first.
    std::vector<std::string> MetricColumns() const;

    /// Returns the first row of the same job, against which a row is held.
    const ComparisonRow& FirstOf(const ComparisonRow& row) const;

    /// Returns the table as CSV. The columns are `variant`, `job` (empty for whole runs), the
    /// varied paths, each metric (as mean over the seeds) and `speedup`. With several seeds there
    /// follows `METRIC_ci95` for each metric, half the width of the 95 % interval. Where random
    /// loss missed all packets of a variant, the last column `no_packet_lost` tells which. A
    /// variant that failed has empty cells.
    std::string Csv() const;

    /// Returns the table as JSON.
    nlohmann::ordered_json Json() const;

    /// Returns each warning once, as WarningGroups has them, in the order of the rows. A variant
    /// whose links lose packets at random, and none of whose packets was hit, has one more, and so
    /// has one whose results are a single draw.
    std::vector<GroupedWarning> Warnings() const;

    /// Returns the mean of a metric over the seeds of a row, or the row's speed-up (without
    /// interval); nothing where the row's runs don't have it. `column` is as in the CSV.
    std::optional<MeanInterval> CellOf(const ComparisonRow& row, const std::string& column) const;

    /// Returns the kind of a job, or of runs without jobs (empty).
    ComparedKind KindOf(const std::string& job) const;

    /// Returns the variants that did not fail, with means and intervals as metrics, without traces.
    /// Of runs with jobs, `job` is one more varied path.
    Comparison Means() const;

  private:
    std::optional<double> Speedup(const ComparisonRow& row) const;
    bool HasSeveralSeeds() const;
    std::string MainColumn(const std::string& job) const;
    bool HasJobs() const;

    std::vector<std::string> m_variedPaths;
    std::vector<ComparisonRow> m_rows;
};

/// The first metric of a run of training, of which the speed-up is taken.
constexpr const char* iterationTimeColumn = "iteration_time_s";
/// The first metric of a run of bulk messages, of which the speed-up is taken.
constexpr const char* completionTimeColumn = "completion_time_p50_s";
/// The first metric of a run with jobs.
constexpr const char* simulatedTimeColumn = "simulated_time_s";
constexpr const char* goodputColumn = "goodput_bps"; ///< of runs of steady flows alone
/// The column of the speed-up over the first variant.
constexpr const char* speedupColumn = "speedup";

/// Returns the metric's name with its unit, such as "iteration_time_s".
std::string ColumnName(const Metric& metric);

} // namespace geotrain
