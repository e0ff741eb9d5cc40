// SPDX-License-Identifier: GPL-2.0-only
// One quantity against another, several times: a line for each name.
#pragma once

#include "figures/curve-points.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

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

/// Writes `stem`.png and `stem`.pdf, both axes from 0 (y only, with logX). Returns the files.
/// Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurveFamily(const CurveFamily& family,
                                                   const std::filesystem::path& stem);

} // namespace geotrain
