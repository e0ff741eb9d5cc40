// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-results.h"

#include "comparison/warning-groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace geotrain
{

std::vector<std::string>
NamesOf(const Cluster& cluster)
{
    std::vector<std::string> names;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        names.push_back(cluster.NameOf(index));
    }
    return names;
}

double
SimulatedRate(const CellPoint& point)
{
    return static_cast<double>(point.plan.Sequences()) / point.simulatedSeconds;
}

std::vector<std::string>
WarningsOf(const PlanReport& report)
{
    WarningGroups groups;
    for (std::size_t rank = 0; rank < report.plans.size(); ++rank)
    {
        for (const auto& warning : report.plans[rank].analytic.warnings)
        {
            groups.Add(warning, std::to_string(rank + 1));
        }
    }
    std::vector<std::string> warnings = report.warnings;
    const auto reversed = ReversedRankings(report.plans);
    warnings.insert(warnings.end(), reversed.begin(), reversed.end());
    for (const GroupedWarning& warning : groups.Get())
    {
        warnings.push_back(fmt::format("{} (plan{} {})",
                                       warning.text,
                                       warning.variants.size() > 1 ? "s" : "",
                                       fmt::join(warning.variants, ", ")));
    }
    return warnings;
}

} // namespace geotrain
