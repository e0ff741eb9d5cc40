// SPDX-License-Identifier: GPL-2.0-only
// Describes a comparison for its figures: the variants with their metrics, and the value that each
// gives to the fields that are varied.
#pragma once

#include "metrics/summary.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A VariedValue is the value that a variant gives to a varied field.
struct VariedValue
{
    std::string text; ///< value as the scenario writes it; empty where the variant does not set it
    std::optional<double> seconds; ///< the value in seconds, where it is a duration
};

/// A VariantSummary is a variant whose runs did not fail.
struct VariantSummary
{
    std::string variant;                  ///< its name and folder
    Summary summary;                      ///< metrics, as means over the seeds
    std::vector<VariedValue> values = {}; ///< in the order of Comparison::variedPaths
    std::filesystem::path trace = {};     ///< trace of the variant's first run
    std::string title = {};               ///< phrase for people; where empty, the name
    std::size_t seeds = 1;                ///< number of runs of which the metrics are means
    std::uint32_t job = 0;                ///< number of the job that it is of
};

/// Returns the variant's phrase for people: its title, or its name where it has none.
inline const std::string&
TitleOf(const VariantSummary& variant)
{
    return variant.title.empty() ? variant.variant : variant.title;
}

/// A Comparison is the variants of a scenario and the fields in which they differ.
struct Comparison
{
    std::vector<std::string> variedPaths; ///< fields of the scenario, such as wan_link[*].delay
    std::vector<VariantSummary> variants;
};

} // namespace geotrain
