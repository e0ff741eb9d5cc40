// SPDX-License-Identifier: GPL-2.0-only
// Describes a comparison for its figures: the variants with their metrics, and the value that each
// gives to the fields that are varied.
#pragma once

#include "metrics/summary.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A VariantSummary is a variant whose runs did not fail.
struct VariantSummary
{
    std::string variant;                  ///< its name and folder
    Summary summary;                      ///< metrics, as means over the seeds
    /// Values of Comparison::variedPaths as the scenario writes them; empty where it does not set one.
    std::vector<std::string> values = {};
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

/// Returns what figures of a comparison say of variants whose results are not to be trusted; empty
/// where there are none. DrawComparisonFigures() and DrawDeclaredFigures() say it below each title.
std::string CautionOf(const Comparison& comparison);

} // namespace geotrain
