// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/table-report.h"

#include "report/comparison-report.h"

namespace geotrain
{

void
WriteReport(const ComparisonTable& table, const std::filesystem::path& folder)
{
    ComparedResults results;
    results.comparison = table.Means();
    results.warnings = table.Warnings();
    for (const auto& row : table.Rows())
    {
        if (row.summaries.empty())
        {
            const auto& title = row.title.empty() ? row.variant : row.title;
            results.failed.push_back({row.variant, title, row.error});
        }
    }
    WriteComparisonReport(results, folder);
}

} // namespace geotrain
