// SPDX-License-Identifier: GPL-2.0-only
// One quantity against another: points joined by a line, or alone where two have the same x and so
// are of different curves.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

struct Curve
{
    std::string xLabel; ///< with its unit
    std::string yLabel;
    std::vector<std::pair<double, double>> points; ///< at least one, by x
    bool countsOnX = false;                        ///< x is a whole number, and so are its ticks
    std::string title = {};                        ///< empty: none
    std::vector<double> halfWidths = {};           ///< of error bars, a point each; empty: none
};

/// Writes `stem`.png and `stem`.pdf, both axes from 0. Returns the files. Throws TraceError when
/// gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurve(const Curve& curve, const std::filesystem::path& stem);

} // namespace geotrain
