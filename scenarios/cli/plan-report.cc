// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-report.h"

#include "cli/plan-advice.h"
#include "cli/terminal-width.h"

#include "comparison/text-table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// Returns the columns of the list: those of the terminal, or as many as its rows usually take.
std::size_t
ListColumns()
{
    constexpr std::size_t usual = 100;
    const bool isAsked = isatty(STDOUT_FILENO) != 0 || std::getenv("COLUMNS") != nullptr;
    return isAsked ? TableColumns() : usual;
}

/// Returns a plan's schedule, and how its replicas share the WAN: "atlas, cap 8, turns of 4".
std::string
ScheduleText(const TrainingPlan& plan)
{
    std::string text = plan.schedule;
    text += plan.warmupFactor > 1 ? fmt::format(", warm-up x {}", plan.warmupFactor) : "";
    text += plan.memoryCap > 0 ? fmt::format(", cap {}", plan.memoryCap) : "";
    text += plan.sharing == WanSharing::Temporal ? fmt::format(", turns of {}", plan.cellSize) : "";
    text += plan.crossDc == CrossDc::ReplicasFlat           ? ", replicas across"
            : plan.crossDc == CrossDc::ReplicasHierarchical ? ", replicas across, hierarchical"
                                                            : "";
    return text + (plan.layersPerStage.empty()
                       ? ""
                       : fmt::format(", layers {}", fmt::join(plan.layersPerStage, "+")));
}

std::string
PlaceText(const TrainingPlan& plan, const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& host : plan.hosts)
    {
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", names[host.dataCenter], host.count);
    }
    return text;
}

/// Returns a time, or why there is none.
std::string
TimeText(const MeasuredPlan& measured)
{
    return measured.failure.empty() ? ShortNumber(measured.seconds) : measured.failure;
}

/// Returns a row of the list for each plan.
std::string
PlansTable(const PlanReport& report)
{
    const bool hasPrices = HasPrices(report.cluster);
    const bool hasPackets = std::any_of(report.plans.begin(),
                                        report.plans.end(),
                                        [](const ListedPlan& plan) { return plan.packets; });
    std::vector<std::string> head = {"", "time\ns"};
    if (hasPackets)
    {
        head.emplace_back("packets\ns");
    }
    head.emplace_back("GPUs");
    if (hasPrices)
    {
        head.emplace_back("dollars");
    }
    head.insert(head.end(), {"PP", "DP", "TP", "batch", "schedule", "stages or replicas"});
    TextTable table(head);
    const auto names = NamesOf(report.cluster);
    for (std::size_t rank = 0; rank < report.plans.size(); ++rank)
    {
        const auto& listed = report.plans[rank];
        const TrainingPlan& plan = listed.plan.plan;
        std::vector<std::string> row = {std::to_string(rank + 1) + (listed.isOnFront ? "*" : " ") +
                                            (listed.plan.isGiven ? "o" : " "),
                                        TimeText(listed.analytic)};
        if (hasPackets)
        {
            row.push_back(listed.packets ? TimeText(*listed.packets) : "");
        }
        row.push_back(std::to_string(plan.Gpus()));
        if (hasPrices)
        {
            row.push_back(ShortNumber(listed.plan.cost.dollars));
        }
        row.insert(row.end(),
                   {std::to_string(plan.pipelineStages),
                    std::to_string(plan.dataParallel),
                    std::to_string(plan.tensorParallel),
                    fmt::format("{} x {}", plan.microbatchSize, plan.microbatches),
                    ScheduleText(plan),
                    PlaceText(plan, names)});
        table.AddRow(row);
    }
    const bool hasOwn = std::any_of(report.plans.begin(),
                                    report.plans.end(),
                                    [](const ListedPlan& plan) { return plan.plan.isGiven; });
    return table.Text(ListColumns()) + "* none is both as fast and as cheap" +
           (hasOwn ? "; o the scenario's own\n" : "\n");
}

std::string
PrunedText(const PlanReport& report)
{
    std::string text =
        fmt::format("{} legal plans of {} sequences an iteration on {} GPUs; {} simulated\n",
                    report.search.legal,
                    report.globalBatch,
                    report.cluster.Gpus(),
                    report.search.ranked.size());
    for (const auto& reason : report.search.pruned)
    {
        text += Paragraph(
            fmt::format("pruned {}: {}; the nearest: {}", reason.count, reason.rule, reason.nearest),
            TableColumns());
    }
    return text;
}

std::string
AtlasText(const PlanReport& report)
{
    if (!report.atlas)
    {
        return Paragraph("Algorithm 1: none for the scenario's own parallelism: " +
                             report.atlasRefusal,
                         TableColumns());
    }
    const auto names = NamesOf(report.cluster);
    TextTable table({"DP-cells",
                     "sequences/s",
                     "pipeline s",
                     "all-reduce s",
                     "simulated iteration s",
                     "simulated sequences/s",
                     "plan"});
    for (const auto& point : report.atlas->curve)
    {
        const bool feasible = point.missing.empty();
        table.AddRow({std::to_string(point.cells),
                      feasible ? ShortNumber(point.sequencesPerSecond) : "-",
                      feasible ? ShortNumber(point.pipelineSeconds) : "-",
                      feasible ? ShortNumber(point.allReduceSeconds) : "-",
                      point.simulatedSeconds > 0 ? ShortNumber(point.simulatedSeconds) : "-",
                      point.simulatedSeconds > 0 ? ShortNumber(SimulatedRate(point)) : "-",
                      feasible ? Describe(point.plan, names) : "infeasible: " + point.missing});
    }
    std::string text =
        Paragraph("Algorithm 1, by the number of DP-cells (the same microbatches per pipeline): "
                  "its own estimate, beside times on the analytic network",
                  TableColumns()) +
        table.Text(TableColumns());
    if (!report.atlas->best)
    {
        return text + "infeasible with any number of DP-cells\n";
    }
    const auto& best = report.atlas->curve[*report.atlas->best];
    text += fmt::format("best: {} DP-cells\n", best.cells);
    for (const auto& out : report.atlas->leftOut)
    {
        text += Paragraph(
            fmt::format("{} is better left out: {} sequences/s without it, {} with it",
                        names[out.dataCenter],
                        ShortNumber(best.sequencesPerSecond),
                        out.sequencesPerSecondWithIt > 0 ? ShortNumber(out.sequencesPerSecondWithIt)
                                                         : "no room for a stage"),
            TableColumns());
    }
    return text;
}

std::string
WhatIfText(const PlanReport& report)
{
    TextTable table({"what if", "iteration s", "difference s", "dollars", "difference", "plan"});
    const auto& base = report.plans.front();
    for (const auto& answer : report.whatIfs)
    {
        if (answer.plans.empty())
        {
            table.AddRow({answer.whatIf.question, "-", "-", "-", "-", answer.missing});
            continue;
        }
        const ListedPlan& best = answer.plans.front();
        const double dollars = best.plan.cost.dollars;
        table.AddRow({answer.whatIf.question,
                      TimeText(best.analytic),
                      fmt::format("{:+.4g}", best.analytic.seconds - base.analytic.seconds),
                      ShortNumber(dollars),
                      fmt::format("{:+.4g}", dollars - base.plan.cost.dollars),
                      Describe(best.plan.plan, NamesOf(report.cluster))});
    }
    return report.whatIfs.empty() ? "" : "\n" + table.Text(ListColumns());
}

/// Returns what else is called as the plans are.
std::string
TwinsText(const PlanReport& report)
{
    const auto names = NamesOf(report.cluster);
    std::string text;
    for (std::size_t rank = 0; rank < report.plans.size(); ++rank)
    {
        for (const TrainingPlan& twin : report.plans[rank].plan.twins)
        {
            text += Paragraph(fmt::format("plan {} is also {}", rank + 1, Describe(twin, names)),
                              TableColumns());
        }
    }
    return text + (text.empty() ? "" : "\n");
}

} // namespace

std::string
PlanText(const PlanReport& report)
{
    std::string text = BrokenIntoLines(AdviceOf(report), ListColumns()) + "\n\n" +
                       PlansTable(report) + WhatIfText(report);
    for (const auto& plan : report.plans)
    {
        text += plan.packetsRefusal.empty() ? "" : Paragraph(plan.packetsRefusal, ListColumns());
    }
    for (const auto& warning : WarningsOf(report))
    {
        text += Paragraph("warning: " + warning, ListColumns());
    }
    return text + Paragraph(report.figures, ListColumns()) +
           Paragraph(
               fmt::format("{} of {} legal plans were simulated, and {} measured as a run does: "
                           "{}/plan-N.textproto; more is in {}/details.txt",
                           report.search.ranked.size(),
                           report.search.legal,
                           report.plans.size(),
                           report.folder,
                           report.folder),
               ListColumns());
}

std::string
PlanDetails(const PlanReport& report)
{
    return PrunedText(report) + "\n" + TwinsText(report) + AtlasText(report);
}

} // namespace geotrain
