// SPDX-License-Identifier: GPL-2.0-only
// Writes the results of `geotrain plan` for programs, as JSON and as CSV.
#pragma once

#include "cli/plan-results.h"

#include <nlohmann/json.hpp>

#include <string>

namespace geotrain
{

/// Returns the report as JSON.
nlohmann::ordered_json PlanJson(const PlanReport& report);

/// Returns a CSV with a row per listed plan, fastest first.
std::string PlanCsv(const PlanReport& report);

/// Returns the curve of Algorithm 1 as a CSV with a row per number of DP-cells.
std::string CellsCsv(const AtlasPlan& atlas);

} // namespace geotrain
