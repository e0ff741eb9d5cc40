// SPDX-License-Identifier: GPL-2.0-only
// One number over two things that are varied, as a table of coloured cells.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

struct HeatMap
{
    std::string title; ///< what holds for all cells; may be empty
    std::string xLabel;
    std::string valueLabel; ///< with its unit
    std::vector<std::string> columns;
    std::vector<std::string> rows;                          ///< from top to bottom
    std::vector<std::vector<std::optional<double>>> values; ///< by row, by column; >= 0
};

/// Writes `stem`.png and `stem`.pdf; returns the files. At least one value is there. Throws
/// TraceError.
std::vector<std::filesystem::path> DrawHeatMap(const HeatMap& map,
                                               const std::filesystem::path& stem);

} // namespace geotrain
