// SPDX-License-Identifier: GPL-2.0-only
// Sets the results of earlier folders side by side, those of runs and of comparisons, and marks
// what differs from the first by more than the spread of seeds.
#pragma once

#include "comparison/comparison-table.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace geotrain
{

/// EarlierResults is the table of the results. Jobs are results of their own, each beside that of
/// the same name in the first result.
class EarlierResults
{
  public:
    /// Reads the folders: one result for a run, and for a variant with all of its seeds; one for
    /// each variant of a comparison. Throws ConfigError, which names --results, for a folder
    /// without results, for runs of training beside runs of bulk messages, and for fewer than two
    /// results. Throws TraceError for a trace that can't be read.
    explicit EarlierResults(const std::vector<std::filesystem::path>& folders);

    /// Returns the table for people, with a column per result and a row per metric that differs.
    /// Results that do not fit into `width` columns go into further tables, beside the first one.
    std::string Text(std::size_t width) const;

    /// Returns the columns of comparison.csv, and `exceeds_spread`: the metrics that differ from
    /// the first result's by more than the spread of seeds, separated by spaces; "unknown" where
    /// neither has several seeds.
    std::string Csv() const;

    nlohmann::ordered_json Json() const;

    /// Writes comparison.csv and the figures.
    void Write(const std::filesystem::path& folder) const;

  private:
    void Read(const std::string& folder, std::vector<ComparisonRow>& results);

    ComparisonTable m_table;
    std::map<std::string, std::filesystem::path> m_traces; ///< of first runs, by the results' names
};

} // namespace geotrain
