// SPDX-License-Identifier: GPL-2.0-only
// Prints the results of `geotrain plan` for people, as JSON and as CSV.
#pragma once

#include "planner/atlas-planner.h"
#include "planner/plan-search.h"
#include "planning/plan-verification.h"
#include "planning/what-if.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A WhatIfAnswer is the answer to a what-if: a search, or why no plan is possible.
struct WhatIfAnswer
{
    WhatIf whatIf;
    std::optional<PlanSearch> search;
    std::string missing; ///< why no plan is possible; empty where `search` is set
};

/// A PlanReport is all results of `geotrain plan`.
struct PlanReport
{
    std::string scenario;
    std::string folder; ///< folder of the results
    Cluster cluster;
    std::uint64_t globalBatch = 1; ///< sequences per iteration
    PlanSearch search;
    std::optional<AtlasPlan> atlas; ///< result of Atlas' Algorithm 1 for the scenario's own shape
    std::string atlasRefusal;       ///< why there is no such result; empty where there is one
    std::vector<WhatIfAnswer> whatIfs;
    std::vector<VerifiedPlan> verified; ///< the first plans of the ranking, run over packets
    std::vector<std::string> warnings;
};

/// Returns the report for people.
std::string PlanText(const PlanReport& report);

/// Returns the report as JSON.
nlohmann::ordered_json PlanJson(const PlanReport& report);

/// Returns a CSV with a row per simulated plan, fastest first.
std::string PlanCsv(const PlanReport& report);

/// Returns the curve of Algorithm 1 as a CSV with a row per number of DP-cells.
std::string CellsCsv(const AtlasPlan& atlas);

} // namespace geotrain
