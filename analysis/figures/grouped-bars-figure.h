// SPDX-License-Identifier: GPL-2.0-only
// One number of many runs as bars in groups: a group a value of what is varied, a colour a series.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct BarSeries
{
    std::string name;
    std::vector<std::optional<double>> values; ///< by group, >= 0; nothing: no bar
};

struct GroupedBars
{
    std::string groupLabel; ///< with its unit
    std::string valueLabel;
    std::vector<std::string> groups; ///< from left to right
    std::vector<BarSeries> series;   ///< at least one, with a value that is > 0
};

/// Writes `stem`.png and `stem`.pdf; returns the files. Throws TraceError when gnuplot is missing
/// or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawGroupedBars(const GroupedBars& bars,
                                                   const std::filesystem::path& stem);

} // namespace geotrain
