// SPDX-License-Identifier: GPL-2.0-only
// Draws one quantity against another. A line joins the points, unless two points have the same x
// and so can't belong to one curve.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// A Curve is the points of one figure and its labels.
struct Curve
{
    std::string xLabel;                            ///< label of the x axis, with its unit
    std::string yLabel;                            ///< label of the y axis, with its unit
    std::vector<std::pair<double, double>> points; ///< at least one, sorted by x
    bool countsOnX = false;                        ///< x is a whole number, and so are its ticks
    std::string title = {};                        ///< empty where the figure has no title

    /// Half lengths of the error bars, one per point; empty where there are none.
    std::vector<double> halfWidths = {};
};

/// Writes `stem`.png and `stem`.pdf and returns the files. Both axes start at 0. Throws TraceError
/// when gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurve(const Curve& curve, const std::filesystem::path& stem);

} // namespace geotrain
