// SPDX-License-Identifier: GPL-2.0-only
#include "cli/plan-data.h"

#include "cli/plan-advice.h"

#include "comparison/text-table.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

using Json = nlohmann::ordered_json;

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
    object["warning_texts"] = WarningsOf(report);
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
            csv +=
                fmt::format("{},{},{},{},{}\n",
                            point.cells,
                            point.sequencesPerSecond,
                            point.pipelineSeconds,
                            point.allReduceSeconds,
                            point.simulatedSeconds > 0 ? ShortNumber(point.simulatedSeconds) : "");
        }
    }
    return csv;
}

} // namespace geotrain
