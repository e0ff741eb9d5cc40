// SPDX-License-Identifier: GPL-2.0-only
// Draws one or several curves of one quantity against another, with error bars where there are
// some. A line joins the points of a curve, unless two of its points have the same x and so can't
// belong to one curve.
#pragma once

#include "figures/curve-points.h"
#include "figures/figure-place.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// PublishedPoints are points that others have measured.
struct PublishedPoints
{
    std::string name;
    CurvePoints points;
    std::vector<double> halfWidths = {}; ///< of error bars, one per point; empty: none
};

/// CurveLook says how the curves of a figure are drawn.
enum class CurveLook
{
    Marked,     ///< a marker at each point, and a line that joins them
    Lines,      ///< lines that colours and dashes tell apart
    SolidLines, ///< lines that colours alone tell apart: dashes would hide what goes up and down
    Stairs,     ///< solid lines with a few markers each: dashes would hide a distribution's steps
};

/// A CurveFamily is the curves of one figure and its labels.
struct CurveFamily
{
    std::string xLabel; ///< with its unit
    std::string yLabel;
    CurveLook look = CurveLook::Marked;

    /// Name and points, by x; at least one of each. A single curve may have no name.
    std::vector<std::pair<std::string, CurvePoints>> curves = {};
    std::string title = {}; ///< empty: none
    double leastTop = 0;    ///< value up to which the y axis goes at least
    double most = INFINITY; ///< highest possible y: error bars are drawn from 0 to this at most
    bool logX = false;      ///< logarithmic; an x of 0 stands a decade before the least other one
    bool logY = false;      ///< logarithmic, where all y are positive

    /// Half lengths of error bars by curve, one per point; all 0 or empty where there are none.
    std::vector<std::vector<double>> halfWidths = {};
    double leftX = 0; ///< left end of an x axis that is not logarithmic, such as a chosen time
    bool countsOnX = false;          ///< x is a whole number, and so are its ticks
    std::string curvesAre = "curve"; ///< what a name names: heads its column in the data

    /// Formulas and limits: thin lines behind the curves. One without a name has no legend.
    std::vector<std::pair<std::string, CurvePoints>> references = {};
    std::vector<PublishedPoints> published = {}; ///< open markers, not joined
};

/// Returns the figure of one curve, which has no name.
CurveFamily SingleCurve(const std::string& xLabel, const std::string& yLabel, CurvePoints points);

/// Draws the figure at `place` and returns its files. Of many curves it draws the first 20 and says
/// so. The y axis starts at 0 unless logY is set, and the x axis unless logX or leftX is. The place's
/// choice of logarithmic axes stands for logX and logY of curves with markers. Throws TraceError when
/// gnuplot is missing or fails, or when a file can't be written.
std::vector<std::filesystem::path> DrawCurveFamily(const CurveFamily& family,
                                                   const FigurePlace& place);

} // namespace geotrain
