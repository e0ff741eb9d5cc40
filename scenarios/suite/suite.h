// SPDX-License-Identifier: GPL-2.0-only
// Describes a suite: the figures of a paper, and the runs that they need.
#pragma once

#include "figures/figure-place.h"
#include "suite/run-set.h"
#include "suite/suite-results.h"

#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// Draws a figure at a place.
using DrawSuiteFigure =
    std::function<void(const SuiteResults& results, const FigurePlace& place)>;

/// A SuiteFigure is one figure, and the text that a paper sets below it.
struct SuiteFigure
{
    std::string name;
    std::string question; ///< what the figure answers
    std::string reading;  ///< setting, formulas and sources that a reader needs
    std::vector<std::string> runSets;
    DrawSuiteFigure draw;
};

/// A Suite is its figures and all sets of runs that they name.
struct Suite
{
    std::string name;
    std::vector<RunSet> runSets;
    std::vector<SuiteFigure> figures;
};

/// Returns the figures of the field's papers. With `quick` there are fewer points, seeds and
/// iterations.
Suite PaperSuite(bool quick);

/// Returns the suite with the figures in `names` alone, and the runs that they need. Throws
/// ConfigError for a name that it does not have.
Suite OnlyFigures(const Suite& suite, const std::vector<std::string>& names);

} // namespace geotrain
