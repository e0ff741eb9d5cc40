// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-advice.h"

#include "comparison/text-table.h"

#include <fmt/format.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the names as "a, b and c".
std::string
Listed(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    }
    return text;
}

std::string
Counted(std::uint32_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

bool
Hosts(const TrainingPlan& plan, std::uint32_t dataCenter)
{
    return std::any_of(plan.hosts.begin(),
                       plan.hosts.end(),
                       [dataCenter](const auto& host) { return host.dataCenter == dataCenter; });
}

std::size_t
DataCentersOf(const TrainingPlan& plan, const Cluster& cluster)
{
    std::size_t count = 0;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        count += Hosts(plan, index) ? 1 : 0;
    }
    return count;
}

/// Returns where the plan trains: "in dc-a and dc-b, without dc-c".
std::string
PlaceOf(const TrainingPlan& plan, const Cluster& cluster)
{
    std::vector<std::string> used;
    std::vector<std::string> leftOut;
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        (Hosts(plan, index) ? used : leftOut).push_back(cluster.NameOf(index));
    }
    constexpr std::size_t mostNamed = 4;
    const std::string without = leftOut.empty() ? ""
                                : leftOut.size() <= mostNamed
                                    ? ", without " + Listed(leftOut)
                                    : fmt::format(", without {} others", leftOut.size());
    return "in " + Listed(used) + without;
}

/// Returns how the plan compares with the best of the other kind: in one data centre, or over
/// several.
std::string
BesideTheOtherKind(const PlanReport& report)
{
    const auto& ranked = report.search.ranked;
    const bool isOne = DataCentersOf(ranked.front().plan, report.cluster) == 1;
    const auto other = std::find_if(ranked.begin(),
                                    ranked.end(),
                                    [&](const RankedPlan& plan)
                                    {
                                        return (DataCentersOf(plan.plan, report.cluster) == 1) !=
                                               isOne;
                                    });
    const std::string kind = isOne ? "over several data centres" : "in one data centre";
    if (other == ranked.end())
    {
        return report.cluster.dataCenters.size() == 1 ? "" : "; no plan " + kind + " was simulated";
    }
    return fmt::format(", {:.3g} times as fast as the best simulated plan {}",
                       other->simulation.iterationTime.ToSeconds() /
                           ranked.front().simulation.iterationTime.ToSeconds(),
                       kind);
}

} // namespace

std::string
AdviceOf(const PlanReport& report)
{
    const auto& best = report.search.ranked.front();
    const double seconds = best.simulation.iterationTime.ToSeconds();
    return fmt::format("Train on {} of {} GPUs {}, with {}, {} and the schedule {}: an iteration "
                       "takes {} s{}.",
                       best.plan.Gpus(),
                       report.cluster.Gpus(),
                       PlaceOf(best.plan, report.cluster),
                       Counted(best.plan.pipelineStages, "pipeline stage"),
                       Counted(best.plan.dataParallel, "replica"),
                       best.plan.schedule,
                       ShortNumber(seconds),
                       BesideTheOtherKind(report));
}

} // namespace geotrain
