// SPDX-License-Identifier: GPL-2.0-only
// Plans the variants that a comparison runs: those that the scenario lists, or the product of the
// values that the command line varies.
#pragma once

#include "loader/scenario-loader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// A VariantPlan is one variant: the scenario after some assignments.
struct VariantPlan
{
    std::string name;  ///< unique; also the name of the variant's folder
    std::string title; ///< unique phrase for people
    std::vector<Assignment> assignments;

    /// Values of the varied paths, in their order; an empty one is not set by the variant.
    std::vector<std::string> values;

    std::string grid = {}; ///< title of the grid that it is of; may be empty

    /// run.seeds where the variant sets it, unless the command line sets run.seed; else empty.
    std::vector<std::int64_t> seeds = {};
};

/// The name, among varied paths, of the column that holds the titles of grids.
constexpr const char* gridPath = "grid";

/// A VariantRequest holds the options of the command line.
struct VariantRequest
{
    std::vector<std::string> sets;   ///< "PATH=VALUE", for every variant
    std::vector<std::string> varies; ///< "PATH=A,B,C"; a list is one value: "[2, 2, 1]"
    bool full = false;               ///< includes variants that are marked full

    /// A congestion control that every grid has too that varies congestion controls; empty: none.
    std::string control = {};
};

/// VariantPlans are all variants of a comparison.
struct VariantPlans
{
    std::vector<std::string> variedPaths; ///< of --vary, or every path that a listed variant sets
    std::vector<VariantPlan> variants;    ///< at least one
    /// run.seeds, in full run.full_seeds where it has some, unless the command line sets run.seed.
    std::vector<std::int64_t> seeds;
    /// A sentence for each --set of a field that listed variants set themselves, whose values stand.
    std::vector<std::string> notes = {};
};

/// Plans the variants. Without listed variants and varied paths, the scenario itself is the only
/// variant and is called "base". Paths and values are checked against the schema alone. Throws
/// ConfigError.
VariantPlans PlanVariants(const ScenarioText& text, const VariantRequest& request);

/// Returns the seeds of a text such as "1..10", "3" or "1,2,5". Throws ConfigError.
std::vector<std::int64_t> ParseSeeds(const std::string& text);

} // namespace geotrain
