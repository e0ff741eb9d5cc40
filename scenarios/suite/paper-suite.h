// SPDX-License-Identifier: GPL-2.0-only
// Makes the figures of a paper: those that some scenarios of the library declare for their
// comparisons, and those of Atlas's planner, which need no runs.
#pragma once

#include "battery/run-battery.h"

#include <set>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the comparisons whose figures the paper shows. Throws ConfigError where the library lacks
/// one.
std::vector<BatteryHeading> PaperComparisons();

/// Returns the names of the paper's figures, in its order. No two are alike.
std::vector<std::string> PaperFigureNames();

/// Throws ConfigError where one of the chosen figures is none of the paper's.
void RefuseUnknownFigures(const std::set<std::string>& chosen);

/// Runs the paper's comparisons as `options` says, whose headings, name and title it sets, and draws
/// the figures that options.choices asks for, which must not be null. The folder gets one of each
/// comparison, report.html, and in figures/ a copy of every figure. Throws TraceError when results
/// can't be written.
BatteryResult MakePaperFigures(BatteryOptions options);

} // namespace geotrain
