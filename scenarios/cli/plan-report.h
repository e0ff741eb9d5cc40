// SPDX-License-Identifier: GPL-2.0-only
// What `geotrain plan` says, for people and as JSON.
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

/// The answer to a what-if: a search, or why no plan is left.
struct WhatIfAnswer
{
    WhatIf whatIf;
    std::optional<PlanSearch> search;
    std::string missing;
};

struct PlanReport
{
    std::string scenario;
    std::string folder;
    Cluster cluster;
    std::uint64_t globalBatch = 1;
    PlanSearch search;
    std::optional<AtlasPlan> atlas;
    std::string atlasRefusal; ///< why there is no Algorithm 1 for the scenario's own shape
    std::vector<WhatIfAnswer> whatIfs;
    std::vector<VerifiedPlan> verified; ///< of the first plans of the ranking
    std::vector<std::string> warnings;
};

std::string PlanText(const PlanReport& report);
nlohmann::ordered_json PlanJson(const PlanReport& report);

/// A row a simulated plan, fastest first.
std::string PlanCsv(const PlanReport& report);

/// Algorithm 1's curve, a row a number of DP-cells.
std::string CellsCsv(const AtlasPlan& atlas);

} // namespace geotrain
