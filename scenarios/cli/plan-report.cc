// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-report.h"

#include "cli/plan-advice.h"
#include "cli/terminal-width.h"

#include "comparison/text-table.h"
#include "comparison/warning-groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace geotrain
{

namespace
{

using Json = nlohmann::ordered_json;

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

/// Returns the warnings of the search, and those of the plans' runs, each once with the plans that gave
/// it.
std::vector<std::string>
AllWarnings(const PlanReport& report)
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

Json
HostsJson(const TrainingPlan& plan, const std::vector<std::string>& names)
{
    Json hosts = Json::array();
    for (const auto& host : plan.hosts)
    {
        hosts.push_back({{"data_center", names[host.dataCenter]},
                         {plan.HasReplicasAcross() ? "replicas" : "stages", host.count}});
    }
    return hosts;
}

Json
PlanJson(const TrainingPlan& plan, const std::vector<std::string>& names)
{
    const char* across = plan.crossDc == CrossDc::Pipeline       ? "stages"
                         : plan.crossDc == CrossDc::ReplicasFlat ? "replicas"
                                                                 : "replicas_hierarchical";
    return {{"pipeline_stages", plan.pipelineStages},
            {"data_parallel", plan.dataParallel},
            {"tensor_parallel", plan.tensorParallel},
            {"microbatch_size", plan.microbatchSize},
            {"microbatches", plan.microbatches},
            {"schedule", plan.schedule},
            {"warmup_factor", plan.warmupFactor},
            {"sharing", plan.sharing == WanSharing::Temporal ? "temporal" : "spatial"},
            {"cell_size", plan.cellSize},
            {"across", across},
            {"hosts", HostsJson(plan, names)},
            {"layers_per_stage", plan.layersPerStage},
            {"memory_cap", plan.memoryCap},
            {"gpus", plan.Gpus()}};
}

Json
ListedJson(const ListedPlan& listed, const PlanReport& report)
{
    const auto names = NamesOf(report.cluster);
    Json object = PlanJson(listed.plan.plan, names);
    object["file"] = listed.scenario.file;
    object["iteration_time_s"] = listed.analytic.seconds;
    if (const std::string failure = FailureOf(listed); !failure.empty())
    {
        object["failure"] = failure;
    }
    if (listed.packets && listed.packets->failure.empty())
    {
        object["packets_s"] = listed.packets->seconds;
        object["error"] = listed.analytic.seconds / listed.packets->seconds - 1;
    }
    object["estimate_s"] = listed.plan.estimate.seconds;
    object["sequences_per_s"] = static_cast<double>(report.globalBatch) / listed.analytic.seconds;
    object["wan_bytes"] = listed.plan.simulation.wanPayload.Count();
    object["gpu_hours"] = listed.plan.cost.gpuHours;
    object["egress_gb"] = listed.plan.cost.egressGigabytes;
    object["cost_usd"] = listed.plan.cost.dollars;
    object["is_own"] = listed.plan.isGiven;
    object["twins"] = Json::array();
    for (const TrainingPlan& twin : listed.plan.twins)
    {
        object["twins"].push_back(Describe(twin, names));
    }
    return object;
}

Json
AtlasJson(const PlanReport& report)
{
    const auto names = NamesOf(report.cluster);
    Json curve = Json::array();
    for (const auto& point : report.atlas->curve)
    {
        Json object = {{"dp_cells", point.cells}, {"feasible", point.missing.empty()}};
        if (point.missing.empty())
        {
            object["sequences_per_s"] = point.sequencesPerSecond;
            object["pipeline_s"] = point.pipelineSeconds;
            object["all_reduce_s"] = point.allReduceSeconds;
            if (point.simulatedSeconds > 0)
            {
                object["simulated_iteration_time_s"] = point.simulatedSeconds;
                object["simulated_sequences_per_s"] = SimulatedRate(point);
            }
            object["hosts"] = HostsJson(point.plan, names);
        }
        else
        {
            object["missing"] = point.missing;
        }
        curve.push_back(object);
    }
    Json leftOut = Json::array();
    for (const auto& out : report.atlas->leftOut)
    {
        leftOut.push_back({{"data_center", names[out.dataCenter]},
                           {"sequences_per_s_with_it", out.sequencesPerSecondWithIt}});
    }
    Json object = {{"curve", curve}, {"left_out", leftOut}};
    if (report.atlas->best)
    {
        object["best_dp_cells"] = report.atlas->curve[*report.atlas->best].cells;
    }
    return object;
}

Json
WhatIfJson(const PlanReport& report)
{
    Json array = Json::array();
    const auto& base = report.plans.front();
    for (const auto& answer : report.whatIfs)
    {
        Json object = {{"question", answer.whatIf.question}, {"feasible", !answer.plans.empty()}};
        if (!answer.plans.empty())
        {
            const ListedPlan& best = answer.plans.front();
            object["plan"] = ListedJson(best, report);
            object["iteration_time_difference_s"] = best.analytic.seconds - base.analytic.seconds;
            object["cost_difference_usd"] = best.plan.cost.dollars - base.plan.cost.dollars;
        }
        else
        {
            object["missing"] = answer.missing;
        }
        array.push_back(object);
    }
    return array;
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
    for (const auto& warning : AllWarnings(report))
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

Json
PlanJson(const PlanReport& report)
{
    Json pruned = Json::array();
    for (const auto& reason : report.search.pruned)
    {
        pruned.push_back(
            {{"rule", reason.rule}, {"count", reason.count}, {"nearest", reason.nearest}});
    }
    Json plans = Json::array();
    Json front = Json::array();
    for (const auto& plan : report.plans)
    {
        plans.push_back(ListedJson(plan, report));
        if (plan.isOnFront)
        {
            front.push_back(plans.back());
        }
    }
    Json object = {{"scenario", report.scenario},
                   {"folder", report.folder},
                   {"advice", AdviceOf(report)},
                   {"gpus", report.cluster.Gpus()},
                   {"global_batch", report.globalBatch},
                   {"legal_candidates", report.search.legal},
                   {"simulated", report.search.ranked.size()},
                   {"pruned", pruned},
                   {"plans", plans},
                   {"front", front}};
    if (report.atlas)
    {
        object["algorithm_1"] = AtlasJson(report);
    }
    object["what_ifs"] = WhatIfJson(report);
    object["figures"] = report.figures;
    object["warning_texts"] = AllWarnings(report);
    return object;
}

std::string
PlanCsv(const PlanReport& report)
{
    std::string csv =
        "rank,iteration_time_s,packets_s,estimate_s,gpus,gpu_hours,egress_gb,cost_usd,"
        "plan\n";
    const auto names = NamesOf(report.cluster);
    for (std::size_t rank = 0; rank < report.plans.size(); ++rank)
    {
        const auto& listed = report.plans[rank];
        const RankedPlan& plan = listed.plan;
        const bool hasPackets = listed.packets && listed.packets->failure.empty();
        csv += fmt::format(
            "{},{},{},{},{},{},{},{},\"{}\"\n",
            rank + 1,
            listed.analytic.failure.empty() ? fmt::format("{}", listed.analytic.seconds) : "",
            hasPackets ? fmt::format("{}", listed.packets->seconds) : "",
            plan.estimate.seconds,
            plan.plan.Gpus(),
            plan.cost.gpuHours,
            plan.cost.egressGigabytes,
            plan.cost.dollars,
            Describe(plan.plan, names));
    }
    return csv;
}

std::string
CellsCsv(const AtlasPlan& atlas)
{
    std::string csv =
        "dp_cells,sequences_per_s,pipeline_s,all_reduce_s,simulated_iteration_time_s\n";
    for (const auto& point : atlas.curve)
    {
        if (point.missing.empty())
        {
            csv += fmt::format("{},{},{},{},{}\n",
                               point.cells,
                               point.sequencesPerSecond,
                               point.pipelineSeconds,
                               point.allReduceSeconds,
                               point.simulatedSeconds > 0 ? ShortNumber(point.simulatedSeconds)
                                                          : "");
        }
    }
    return csv;
}

} // namespace geotrain
