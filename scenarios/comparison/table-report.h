// SPDX-License-Identifier: GPL-2.0-only
// Writes the report of a comparison from its table.
#pragma once

#include "comparison/comparison-table.h"

#include <filesystem>

namespace geotrain
{

/// Writes report.html of the table's variants into `folder`, with links to the runs that are there.
/// Throws TraceError when it can't be written.
void WriteReport(const ComparisonTable& table, const std::filesystem::path& folder);

} // namespace geotrain
