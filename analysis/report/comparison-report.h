// SPDX-License-Identifier: GPL-2.0-only
// Writes the report of a comparison: its table and figures, and an index of the variants' reports.
#pragma once

#include "figures/comparison.h"

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A GroupedWarning is a warning, or what else a report says, and the variants that it is of.
struct GroupedWarning
{
    std::string text;
    std::vector<std::string> variants;
};

/// A FailedVariant is a variant that has no result.
struct FailedVariant
{
    std::string variant;
    std::string title;
    std::string error; ///< what its run said
};

/// A ComparedResults is all that the report of a comparison says beside the folder's files.
struct ComparedResults
{
    Comparison comparison; ///< metrics are means over the seeds
    std::vector<GroupedWarning> warnings;
    std::vector<FailedVariant> failed;
};

/// Writes report.html into the comparison's folder. Throws TraceError when it can't be written.
void WriteComparisonReport(const ComparedResults& results, const std::filesystem::path& folder);

} // namespace geotrain
