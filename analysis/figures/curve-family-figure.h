// SPDX-License-Identifier: GPL-2.0-only
// Draws several named curves of one quantity against another.
#pragma once

#include "figures/curve-points.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A CurveFamily is the curves of one figure and its labels.
struct CurveFamily
{
    std::string xLabel; ///< with its unit
    std::string yLabel;
    bool hasPoints = true; ///< marked; false: lines alone
    std::vector<std::pair<std::string, CurvePoints>>
        curves;             ///< name and points, by x; at least one of each
    std::string title = {}; ///< empty: none
    bool logX = false;      ///< logarithmic; an x of 0 stands a decade before the least other one
    std::vector<std::vector<double>> halfWidths =
        {}; ///< of error bars, a point each, by curve; empty: none
};

/// Writes `stem`.png and `stem`.pdf and returns the files. Both axes start at 0, with logX only the
/// y axis. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurveFamily(const CurveFamily& family,
                                                   const std::filesystem::path& stem);

} // namespace geotrain
