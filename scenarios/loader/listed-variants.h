// SPDX-License-Identifier: GPL-2.0-only
// Reads the variants and grids that a scenario lists for `geotrain compare`, as typed values.
#pragma once

#include "loader/assignment.h"
#include "loader/scenario-text.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A ListedVariant is one variant: the scenario after `sets` are made.
struct ListedVariant
{
    std::string name;
    std::vector<Assignment> sets;
    bool isFull = false; ///< runs only with --full
};

/// A ListedGrid is a product of variants: each of `varies`, after `sets` are made.
struct ListedGrid
{
    std::vector<Assignment> varies; ///< "path=A,B,C"
    std::vector<Assignment> sets;
    bool isFull = false; ///< runs only with --full
};

/// ListedVariants are all variants and grids of one scenario.
struct ListedVariants
{
    std::vector<ListedVariant> variants;
    std::vector<ListedGrid> grids;
};

/// Reads the variants and grids of `text` after `assignments` are made. Each assignment says where
/// it stands. Throws ConfigError for one without "=".
ListedVariants ReadListedVariants(const ScenarioText& text,
                                  const std::vector<Assignment>& assignments);

} // namespace geotrain
