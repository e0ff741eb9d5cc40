// SPDX-License-Identifier: GPL-2.0-only
// Reads what a scenario lists for `geotrain compare`, its variants, grids and seeds, and what it
// expects of itself, as typed values.
#pragma once

#include "loader/assignment.h"
#include "loader/scenario-text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// A ListedVariant is one variant: the scenario after `sets` are made.
struct ListedVariant
{
    std::string name;
    std::string title; ///< phrase for people; where empty, the name
    std::vector<Assignment> sets;
    bool isFull = false; ///< runs only with --full
};

/// A ListedGrid is a product of variants: each of `varies`, after `sets` are made.
struct ListedGrid
{
    std::vector<Assignment> varies; ///< "path=A,B,C"
    std::vector<Assignment> sets;
    bool isFull = false; ///< runs only with --full
    std::string name = {};  ///< part of its variants' names; may be empty
    std::string title = {}; ///< phrase for people; where empty, the name
};

/// ListedVariants are all variants and grids of one scenario.
struct ListedVariants
{
    std::vector<ListedVariant> variants;
    std::vector<ListedGrid> grids;
    std::vector<std::int64_t> seeds; ///< seeds of every variant; empty: each has its own
    std::vector<std::int64_t> fullSeeds; ///< the same with --full; empty: `seeds`
    std::vector<Assignment> fullSets;    ///< of every variant with --full
};

/// A ListedExpectation is a value that the scenario gives as it is written.
struct ListedExpectation
{
    std::string variant; ///< empty: the scenario without variants
    std::string metric;
    double value = 0;
    double tolerance = 0; ///< as a share of `value`; where that is 0, in the metric's unit
    std::string job = {}; ///< empty: the whole run
};

/// Throws ConfigError where `path` is in what a scenario says of its variants and of their results: a
/// variant that sets it would be run as if it did not.
void RefuseOwnList(const std::string& path, const std::string& assignment, const std::string& from);

/// Reads the variants and grids of `text` after `assignments` are made. Each assignment says where
/// it stands. Throws ConfigError for one without "=", and for a seed that is there twice.
ListedVariants ReadListedVariants(const ScenarioText& text,
                                  const std::vector<Assignment>& assignments);

/// Reads what the scenario expects of itself. Throws ConfigError.
std::vector<ListedExpectation> ReadExpectations(const ScenarioText& text);

} // namespace geotrain
