// SPDX-License-Identifier: GPL-2.0-only
// Draws several named curves of one quantity against another.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A CurveFamily is the curves of one figure and its labels.
struct CurveFamily
{
    std::string xLabel;    ///< label of the x axis, with its unit
    std::string yLabel;    ///< label of the y axis, with its unit
    bool hasPoints = true; ///< draws a mark at each point; false: draws lines alone

    /// Name and points of each curve. Points are sorted by x; there is at least one curve, and at
    /// least one point per curve.
    std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> curves;

    std::string title = {}; ///< empty where the figure has no title

    /// Makes the x axis logarithmic. An x of 0 then stands one decade below the decade of the
    /// smallest other x.
    bool logX = false;

    /// Half lengths of the error bars, by curve and point; empty where there are none.
    std::vector<std::vector<double>> halfWidths = {};
};

/// Writes `stem`.png and `stem`.pdf and returns the files. Both axes start at 0, with logX only the
/// y axis. Throws TraceError when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurveFamily(const CurveFamily& family,
                                                   const std::filesystem::path& stem);

} // namespace geotrain
