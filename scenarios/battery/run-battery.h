// SPDX-License-Identifier: GPL-2.0-only
// Runs a battery: the comparison of each heading, one after another, in a folder of its own. Then it
// writes the index of their reports and, if asked, a report card.
#pragma once

#include "battery/battery.h"
#include "comparison/compare.h"
#include "comparison/expectations.h"
#include "report/battery-report.h"

#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

/// BatteryOptions say what to run, how, and where to write. `plans` and `progress` are set for each
/// heading; with `seeds` all variants have these. Unless `figures` says otherwise, runs have none.
struct BatteryOptions : CompareOptions
{
    std::vector<BatteryHeading> headings;
    std::string name = "battery"; ///< in run-info.json
    std::string title = "Congestion controls under the headings of the field";
    VariantRequest variants; ///< its varies must be empty
    /// Congestion control of the report card, as ControlOfCard() returns it; empty: no card.
    std::string card;

    /// Runs only the variants that the declared figures show, and of these, if there are some, those
    /// that choices->only names.
    bool runsOnlyShown = false;

    /// Called when all has run, for what the index shows beside the comparisons; may be empty.
    std::function<std::vector<BatteryPart>()> makeMore = {};

    /// Called with the share of the work that is done, in [0, 1], and what is going on; may be empty.
    std::function<void(double share, const std::string& what)> tell = {};
};

/// A LeftOutVariant is a variant that can't run with the card's congestion control.
struct LeftOutVariant
{
    std::string title;
    std::string error;
};

/// A HeadingResult is the comparison of one heading.
struct HeadingResult
{
    BatteryHeading heading;
    ComparisonTable table;
    std::size_t seeds = 0;
    /// With what was given; empty where the runs differ from those of the scenario as it is written.
    std::vector<ExpectedValue> expectations;
    std::vector<LeftOutVariant> leftOut;
};

/// A BatteryResult is what a battery has done.
struct BatteryResult
{
    std::vector<HeadingResult> headings; ///< that were begun
    bool isInterrupted = false;          ///< true: runs are left to do, and there is no index
};

/// Returns the congestion control of --card in the shortest form that finds it. Throws ConfigError
/// that names --card and the nearest controls where there is none of that name.
std::string ControlOfCard(const std::string& name);

/// Runs the battery. The folder gets a comparison's folder NAME per heading, report.html and, with
/// `card`, card-NAME.html. Throws ConfigError, and TraceError when results can't be written.
BatteryResult RunBattery(const BatteryOptions& options);

} // namespace geotrain
