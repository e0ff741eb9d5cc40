// SPDX-License-Identifier: GPL-2.0-only
// Holds all results of `geotrain plan`.
#pragma once

#include "plan-study/plan-list.h"
#include "plan-study/what-if.h"
#include "planner/atlas-planner.h"

#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A WhatIfAnswer is the answer to a what-if: its plans, or why none is possible.
struct WhatIfAnswer
{
    WhatIf whatIf;
    std::vector<ListedPlan> plans; ///< measured, the fastest first
    std::string missing;           ///< why no plan is possible; empty where there are some
};

/// A PlanReport is all results of `geotrain plan`.
struct PlanReport
{
    std::string scenario;
    std::string folder; ///< folder of the results
    Cluster cluster;
    std::uint64_t globalBatch = 1; ///< sequences per iteration
    PlanSearch search;
    std::vector<ListedPlan>
        plans; ///< those of the search that are listed, measured, the fastest first
    std::optional<AtlasPlan> atlas; ///< result of Atlas' Algorithm 1 for the scenario's own shape
    std::string atlasRefusal;       ///< why there is no such result; empty where there is one
    std::vector<WhatIfAnswer> whatIfs;
    std::vector<std::string> warnings;
    std::string figures; ///< which figures there are, and which have nothing to show
};

/// Returns the names of the data centres.
std::vector<std::string> NamesOf(const Cluster& cluster);

/// Returns the sequences per second of the point's simulated iteration.
double SimulatedRate(const CellPoint& point);

/// Returns the warnings of the search, and those of the plans' runs, each once with the plans that gave
/// it.
std::vector<std::string> WarningsOf(const PlanReport& report);

} // namespace geotrain
