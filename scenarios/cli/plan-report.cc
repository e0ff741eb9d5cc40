// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-report.h"

#include "cli/plan-advice.h"
#include "cli/terminal-width.h"

#include "comparison/text-table.h"

#include <fmt/format.h>

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

double
Seconds(const RankedPlan& plan)
{
    return plan.simulation.iterationTime.ToSeconds();
}

std::string
PlansTable(const std::vector<RankedPlan>& plans, const PlanReport& report)
{
    TextTable table({"",
                     "iteration s",
                     "estimate s",
                     "sequences/s",
                     "GPUs",
                     "GPU-hours",
                     "egress GB",
                     "dollars",
                     "plan"});
    const auto names = NamesOf(report.cluster);
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        const auto& plan = plans[rank];
        table.AddRow({std::to_string(rank + 1),
                      ShortNumber(Seconds(plan)),
                      ShortNumber(plan.estimate.seconds),
                      ShortNumber(static_cast<double>(report.globalBatch) / Seconds(plan)),
                      std::to_string(plan.plan.Gpus()),
                      ShortNumber(plan.cost.gpuHours),
                      ShortNumber(plan.cost.egressGigabytes),
                      ShortNumber(plan.cost.dollars),
                      Describe(plan.plan, names)});
    }
    return table.Text(TableColumns());
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
    if (report.whatIfs.empty())
    {
        return "";
    }
    TextTable table({"what if", "iteration s", "difference s", "dollars", "difference", "plan"});
    const auto& base = report.search.ranked.front();
    for (const auto& answer : report.whatIfs)
    {
        if (!answer.search)
        {
            table.AddRow({answer.whatIf.question, "-", "-", "-", "-", answer.missing});
            continue;
        }
        const auto& best = answer.search->ranked.front();
        table.AddRow({answer.whatIf.question,
                      ShortNumber(Seconds(best)),
                      fmt::format("{:+.4g}", Seconds(best) - Seconds(base)),
                      ShortNumber(best.cost.dollars),
                      fmt::format("{:+.4g}", best.cost.dollars - base.cost.dollars),
                      Describe(best.plan, NamesOf(report.cluster))});
    }
    return table.Text(TableColumns());
}

std::string
VerifiedText(const PlanReport& report)
{
    if (report.verified.empty())
    {
        return "";
    }
    TextTable table({"", "analytic s", "packets s", "error", "estimate's error"});
    for (std::size_t rank = 0; rank < report.verified.size(); ++rank)
    {
        const auto& plan = report.verified[rank];
        if (!plan.failure.empty())
        {
            table.AddRow({std::to_string(rank + 1),
                          ShortNumber(plan.analyticSeconds),
                          plan.failure,
                          "",
                          ""});
            continue;
        }
        const double estimate = report.search.ranked[rank].estimate.seconds;
        table.AddRow({std::to_string(rank + 1),
                      ShortNumber(plan.analyticSeconds),
                      ShortNumber(plan.packetSeconds),
                      fmt::format("{:+.1f} %", 100 * plan.Error()),
                      fmt::format("{:+.1f} %", 100 * (estimate / plan.packetSeconds - 1))});
    }
    return "over packets:\n" + table.Text(TableColumns());
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
RankedJson(const RankedPlan& ranked, const PlanReport& report)
{
    Json object = PlanJson(ranked.plan, NamesOf(report.cluster));
    object["iteration_time_s"] = Seconds(ranked);
    object["estimate_s"] = ranked.estimate.seconds;
    object["sequences_per_s"] = static_cast<double>(report.globalBatch) / Seconds(ranked);
    object["wan_bytes"] = ranked.simulation.wanPayload.Count();
    object["gpu_hours"] = ranked.cost.gpuHours;
    object["egress_gb"] = ranked.cost.egressGigabytes;
    object["cost_usd"] = ranked.cost.dollars;
    return object;
}

Json
AllJson(const std::vector<RankedPlan>& plans, const PlanReport& report)
{
    Json array = Json::array();
    for (const auto& plan : plans)
    {
        array.push_back(RankedJson(plan, report));
    }
    return array;
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
    const auto& base = report.search.ranked.front();
    for (const auto& answer : report.whatIfs)
    {
        Json object = {{"question", answer.whatIf.question},
                       {"feasible", answer.search.has_value()}};
        if (answer.search)
        {
            const auto& best = answer.search->ranked.front();
            object["plan"] = RankedJson(best, report);
            object["iteration_time_difference_s"] = Seconds(best) - Seconds(base);
            object["cost_difference_usd"] = best.cost.dollars - base.cost.dollars;
        }
        else
        {
            object["missing"] = answer.missing;
        }
        array.push_back(object);
    }
    return array;
}

Json
VerifiedJson(const PlanReport& report)
{
    Json array = Json::array();
    for (std::size_t rank = 0; rank < report.verified.size(); ++rank)
    {
        const auto& plan = report.verified[rank];
        Json object = {{"rank", rank + 1}, {"analytic_s", plan.analyticSeconds}};
        if (plan.failure.empty())
        {
            object["packets_s"] = plan.packetSeconds;
            object["error"] = plan.Error();
            object["estimate_error"] =
                report.search.ranked[rank].estimate.seconds / plan.packetSeconds - 1;
        }
        else
        {
            object["failure"] = plan.failure;
        }
        array.push_back(object);
    }
    return array;
}

} // namespace

std::string
PlanText(const PlanReport& report)
{
    std::string text = BrokenIntoLines(AdviceOf(report), TableColumns()) + "\n\n" +
                       PrunedText(report) + "\n" + PlansTable(report.search.ranked, report);
    text += "\ntime against cost, the front of the simulated plans:\n" +
            PlansTable(report.search.front, report);
    text += "\n" + AtlasText(report);
    const std::string whatIfs = WhatIfText(report);
    text += whatIfs.empty() ? "" : "\n" + whatIfs;
    const std::string verified = VerifiedText(report);
    text += verified.empty() ? "" : "\n" + verified;
    for (const auto& warning : report.warnings)
    {
        text += Paragraph("warning: " + warning, TableColumns());
    }
    return text + "the best plan is " + report.folder + "/plan-1.textproto\n";
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
    Json object = {{"scenario", report.scenario},
                   {"folder", report.folder},
                   {"advice", AdviceOf(report)},
                   {"gpus", report.cluster.Gpus()},
                   {"global_batch", report.globalBatch},
                   {"legal_candidates", report.search.legal},
                   {"pruned", pruned},
                   {"plans", AllJson(report.search.ranked, report)},
                   {"front", AllJson(report.search.front, report)}};
    if (report.atlas)
    {
        object["algorithm_1"] = AtlasJson(report);
    }
    object["what_ifs"] = WhatIfJson(report);
    object["verified"] = VerifiedJson(report);
    object["warning_texts"] = report.warnings;
    return object;
}

std::string
PlanCsv(const PlanReport& report)
{
    std::string csv = "rank,iteration_time_s,estimate_s,gpus,gpu_hours,egress_gb,cost_usd,plan\n";
    const auto names = NamesOf(report.cluster);
    for (std::size_t rank = 0; rank < report.search.ranked.size(); ++rank)
    {
        const auto& plan = report.search.ranked[rank];
        csv += fmt::format("{},{},{},{},{},{},{},\"{}\"\n",
                           rank + 1,
                           Seconds(plan),
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
