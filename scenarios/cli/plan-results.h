// SPDX-License-Identifier: GPL-2.0-only
// Holds all results of `geotrain plan`.
#pragma once

#include "plan-study/plan-verification.h"
#include "plan-study/what-if.h"
#include "planner/atlas-planner.h"
#include "planner/plan-search.h"

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

} // namespace geotrain
