// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-advice.h"

#include "comparison/text-table.h"
#include "planner/plan-candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Returns where the plan trains: "in dc-a and dc-b, without dc-c".
std::string
PlaceOf(const TrainingPlan& plan, const Cluster& cluster)
{
    std::vector<std::string> used;
    std::vector<std::string> leftOut;
    const auto hosts = DataCentersOf(plan);
    for (std::uint32_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        (hosts.count(index) > 0 ? used : leftOut).push_back(cluster.NameOf(index));
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
    const auto& plans = report.plans;
    const auto isOne = [](const ListedPlan& plan)
    { return DataCentersOf(plan.plan.plan).size() == 1; };
    const bool bestIsOne = isOne(plans.front());
    const auto other =
        std::find_if(plans.begin(),
                     plans.end(),
                     [&](const ListedPlan& plan)
                     { return isOne(plan) != bestIsOne && plan.analytic.failure.empty(); });
    const std::string kind = bestIsOne ? "over several data centres" : "in one data centre";
    if (other == plans.end())
    {
        return report.cluster.dataCenters.size() == 1 ? "" : "; no plan " + kind + " is listed";
    }
    return fmt::format(", {:.3g} times as fast as the best listed plan {}",
                       other->analytic.seconds / plans.front().analytic.seconds,
                       kind);
}

/// Returns how a plan trains: "with 2 pipeline stages, 4 replicas and the schedule atlas".
std::string
ShapeText(const TrainingPlan& plan)
{
    return fmt::format("with {}, {} and the schedule {}",
                       Counted(plan.pipelineStages, "pipeline stage"),
                       Counted(plan.dataParallel, "replica"),
                       plan.schedule);
}

/// Returns the answer to a question: "Without dc-c an iteration takes 2.3 s, 0.12 s longer (+5.5 %): train
/// in dc-a and dc-b, with ...".
std::string
AnswerText(const WhatIfAnswer& answer, const PlanReport& report)
{
    const WhatIf& asked = answer.whatIf;
    const std::string question = asked.kind == WhatIf::Kind::Without ? "Without " + asked.subject
                                 : asked.kind == WhatIf::Kind::Add
                                     ? fmt::format("With {:.0f} GPUs in {} for {:.0f}",
                                                   asked.value,
                                                   asked.subject,
                                                   asked.valueBefore)
                                     : fmt::format("With a WAN of {:.6g} Gbit/s", asked.value);
    if (answer.plans.empty())
    {
        return fmt::format("{} there is no plan: {}.", question, answer.missing);
    }
    const double base = report.plans.front().analytic.seconds;
    const double seconds = answer.plans.front().analytic.seconds;
    const TrainingPlan& plan = answer.plans.front().plan.plan;
    const std::string difference = seconds == base
                                       ? "as with everything as it is"
                                       : fmt::format("{} s {} than as it is ({:+.1f} %)",
                                                     ShortNumber(std::abs(seconds - base)),
                                                     seconds > base ? "longer" : "shorter",
                                                     100 * (seconds / base - 1));
    return fmt::format("{} an iteration takes {} s, {}: train {}, {}.",
                       question,
                       ShortNumber(seconds),
                       difference,
                       PlaceOf(plan, asked.scenario.cluster),
                       ShapeText(plan));
}

} // namespace

std::string
AdviceOf(const PlanReport& report)
{
    std::string text;
    for (const WhatIfAnswer& answer : report.whatIfs)
    {
        text += AnswerText(answer, report) + " ";
    }
    const ListedPlan& best = report.plans.front();
    const TrainingPlan& plan = best.plan.plan;
    text += report.whatIfs.empty() ? "Train" : "As it is: train";
    const bool hasPackets = best.packets && best.packets->failure.empty();
    return text + fmt::format(" on {} of {} GPUs {}, {}: an iteration takes {} s{}{}.",
                              plan.Gpus(),
                              report.cluster.Gpus(),
                              PlaceOf(plan, report.cluster),
                              ShapeText(plan),
                              ShortNumber(best.analytic.seconds),
                              hasPackets ? fmt::format(" ({} s over packets)",
                                                       ShortNumber(best.packets->seconds))
                                         : "",
                              BesideTheOtherKind(report));
}

} // namespace geotrain
