// SPDX-License-Identifier: GPL-2.0-only
// What a comparison runs: the variants that a scenario lists, or the product of the paths that the
// command line varies.
#pragma once

#include "loader/scenario-loader.h"

#include <string>
#include <vector>

namespace geotrain
{

struct VariantPlan
{
    std::string name; ///< of its folder too; unique
    std::vector<Assignment> assignments;
    std::vector<std::string>
        values; ///< of the varied paths, in their order; empty: the scenario's own
};

struct VariantRequest
{
    std::vector<std::string> sets;   ///< "PATH=VALUE", for every variant
    std::vector<std::string> varies; ///< "PATH=A,B,C"; a list is one value: "[2, 2, 1]"
    bool full = false;               ///< variants that are marked full too
};

struct VariantPlans
{
    std::vector<std::string> variedPaths; ///< of --vary, or every path that a listed variant sets
    std::vector<VariantPlan> variants;    ///< at least 1
};

/// Without variants and varied paths the scenario itself is the only one, "base". Every path and
/// value is tried against the schema, nothing else. Throws ConfigError.
VariantPlans PlanVariants(const ScenarioText& text, const VariantRequest& request);

/// "1..10", "3", "1,2,5" as numbers. Throws ConfigError.
std::vector<std::int64_t> ParseSeeds(const std::string& text);

} // namespace geotrain
