// SPDX-License-Identifier: GPL-2.0-only
// What the figures of a suite share: from the results of a set to curves with intervals, formulas
// and published measurements.
#pragma once

#include "figures/curve-family-figure.h"
#include "suite/suite-results.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// SuiteCurveLabels are what a figure has besides its curves.
struct SuiteCurveLabels
{
    std::string xLabel; ///< with its unit
    std::string yLabel;
    bool logX = false;
    std::vector<std::pair<std::string, CurvePoints>> references = {}; ///< formulas and limits
    std::vector<SuiteCurve> published = {}; ///< points that others have measured
    CurveLook look = CurveLook::Marked;
    double most = INFINITY; ///< highest possible y: error bars end there
    double leastTop = 0;    ///< the y axis reaches at least this
};

/// Draws the curves with their intervals. Curves without points are left out.
void DrawSuiteCurves(const SuiteCurveLabels& labels,
                     const std::vector<SuiteCurve>& curves,
                     const FigurePlace& place);

/// Returns `above` / `below` at the x that both have, without intervals.
SuiteCurve Ratio(const SuiteCurve& above, const SuiteCurve& below, const std::string& title);

} // namespace geotrain
