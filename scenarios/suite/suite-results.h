// SPDX-License-Identifier: GPL-2.0-only
// Holds the results of a suite's runs for its figures.
#pragma once

#include "comparison/comparison-table.h"
#include "figures/comparison.h"
#include "figures/curve-points.h"
#include "suite/run-set.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A SuiteCurve is a metric of one series by the points of its set.
struct SuiteCurve
{
    std::string title;
    CurvePoints points;             ///< means over the seeds
    std::vector<double> halfWidths; ///< of their 95 % intervals; empty with one seed
};

/// SetResults are the results of one set of runs.
class SetResults
{
  public:
    /// `table` must have the variants of PlansOf(set), whose runs are below `folder`.
    SetResults(RunSet set, const ComparisonTable& table, std::filesystem::path folder);

    const RunSet& Set() const;

    /// Returns the index of the series called `name`; throws std::out_of_range where there is none.
    std::size_t SeriesOf(const std::string& name) const;

    /// Returns the index of the point called `name`; throws std::out_of_range where there is none.
    std::size_t PointOf(const std::string& name) const;

    /// Returns the results of `series` at `point`, as means over the seeds. Its title is that of the
    /// series. Null where a run failed.
    const VariantSummary* At(std::size_t series, std::size_t point = 0) const;

    /// Returns the summaries of all seeds.
    const std::vector<Summary>& SeedsAt(std::size_t series, std::size_t point = 0) const;

    /// Returns `factor` times `metric` of a series, without the points that have no such metric.
    SuiteCurve Curve(std::size_t series, const std::string& metric, double factor = 1) const;

    /// Returns Curve() of every series that has points.
    std::vector<SuiteCurve> Curves(const std::string& metric, double factor = 1) const;

  private:
    std::size_t Index(std::size_t series, std::size_t point) const;

    RunSet m_set;
    std::vector<std::optional<VariantSummary>> m_means; ///< the points of the first series first
    std::vector<std::vector<Summary>> m_seeds;
};

/// SuiteResults are the results by the names of the sets.
using SuiteResults = std::map<std::string, SetResults>;

} // namespace geotrain
