// SPDX-License-Identifier: GPL-2.0-only
// Prints the results of `geotrain plan` for people, as JSON and as CSV.
#pragma once

#include "cli/plan-results.h"

#include <nlohmann/json.hpp>

#include <string>

namespace geotrain
{

/// Returns the report for people: the advice and the list, which fit a screen.
std::string PlanText(const PlanReport& report);

/// Returns what the report leaves out: pruned plans, plans that are others by another name, and
/// Algorithm 1.
std::string PlanDetails(const PlanReport& report);

/// Returns the report as JSON.
nlohmann::ordered_json PlanJson(const PlanReport& report);

/// Returns a CSV with a row per listed plan, fastest first.
std::string PlanCsv(const PlanReport& report);

/// Returns the curve of Algorithm 1 as a CSV with a row per number of DP-cells.
std::string CellsCsv(const AtlasPlan& atlas);

} // namespace geotrain
