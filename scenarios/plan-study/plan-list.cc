// SPDX-License-Identifier: GPL-2.0-only
#include "plan-study/plan-list.h"

#include "analytic/analytic-network.h"
#include "loader/network-kinds.h"
#include "loader/plan-scenario.h"
#include "planner/plan-candidates.h"
#include "runner/exit-codes.h"
#include "runner/result-list.h"
#include "runner/run-estimate.h"
#include "trace/result-file.h"
#include "training-plan/stage-table.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Gives each plan its scenario, which is to be a file of that name.
void
WriteScenario(ListedPlan& plan,
              const PlanningScenario& scenario,
              const fs::path& folder,
              const std::string& name)
{
    const auto file = folder / (name + ".textproto");
    plan.scenario = {file.string(),
                     folder,
                     ScenarioOfPlan(scenario, plan.plan.plan, scenario.run.name + "-" + name)};
}

std::vector<Assignment>
OnNetwork(const std::string& kind)
{
    return {{NetworkAssignment(kind), "--network"}};
}

/// Returns what each run of a plan has that its scenario does not say.
std::vector<Assignment>
OfRun(const std::string& kind, const std::optional<Duration>& wallDeadline)
{
    std::vector<Assignment> assignments = OnNetwork(kind);
    if (wallDeadline)
    {
        assignments.push_back(
            {fmt::format("run.wall_deadline={}ns", wallDeadline->ToNanoseconds()), "the plan"});
    }
    return assignments;
}

/// Runs the plans on a network, each in a folder of `folder` that is called as its file.
std::vector<MeasuredPlan>
RunPlans(const std::vector<const ListedPlan*>& plans,
         const std::string& kind,
         const std::optional<Duration>& wallDeadline,
         const fs::path& folder,
         const RunPool& pool)
{
    VariantPlans names;
    std::vector<PlannedRun> runs;
    for (const ListedPlan* plan : plans)
    {
        const std::string name = fs::path(plan->scenario.file).stem().string();
        names.variants.emplace_back().name = name;
        runs.push_back(
            {&plan->scenario, runs.size(), {}, OfRun(kind, wallDeadline), folder / name});
    }
    const ComparisonTable table = MakeTable(names, runs, RunAll(runs, pool));
    std::vector<MeasuredPlan> measured;
    for (const VariantPlan& plan : names.variants)
    {
        MeasuredPlan& result = measured.emplace_back();
        const auto& rows = table.Rows();
        const auto row =
            std::find_if(rows.begin(),
                         rows.end(),
                         [&plan](const ComparisonRow& one) { return one.variant == plan.name; });
        if (row == rows.end())
        {
            result.failure = "interrupted";
        }
        else if (row->exitCode != exitDone)
        {
            result.exitCode = row->exitCode;
            result.failure = fmt::format("exit {}: {}", row->exitCode, row->error);
        }
        else
        {
            const Summary& summary = row->summaries.front();
            result.seconds = summary.Find("iteration_time").value_or(0);
            result.warnings = summary.warnings;
        }
    }
    return measured;
}

} // namespace

std::vector<ListedPlan>
ListPlans(const PlanSearch& search, const PlanningScenario& scenario, std::size_t most)
{
    enum Wanted
    {
        Always,
        OfPlace,
        OfFront,
        OfKind,
        More
    };

    std::vector<std::pair<Wanted, std::size_t>> order; // by rank in the search
    std::set<std::set<std::uint32_t>> places;
    std::set<std::pair<WanSharing, CrossDc>> sharing;
    std::set<std::string> schedules;
    double cheapest = std::numeric_limits<double>::infinity();
    for (std::size_t rank = 0; rank < search.ranked.size(); ++rank)
    {
        const RankedPlan& ranked = search.ranked[rank];
        const TrainingPlan& plan = ranked.plan;
        const bool isOfNewPlace = places.insert(DataCentersOf(plan)).second;
        const bool isOfNewSharing = sharing.emplace(plan.sharing, plan.crossDc).second;
        const bool isOfNewSchedule = schedules.insert(plan.schedule).second;
        const double price = PriceOf(ranked.cost, scenario.cluster);
        const bool isAlways = rank < std::max<std::size_t>(1, most / 3) || ranked.isGiven;
        order.emplace_back(isAlways                            ? Always
                           : isOfNewPlace                      ? OfPlace
                           : price < cheapest                  ? OfFront
                           : isOfNewSharing || isOfNewSchedule ? OfKind
                                                               : More,
                           rank);
        cheapest = std::min(cheapest, price);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most));
    std::sort(order.begin(),
              order.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<ListedPlan> listed;
    for (const auto& [wanted, rank] : order)
    {
        listed.emplace_back().plan = search.ranked[rank];
        WriteScenario(listed.back(), scenario, fs::path(), fmt::format("plan-{}", listed.size()));
    }
    return listed;
}

std::optional<double>
EstimateSeconds(const ListedPlan& plan, const std::string& kind)
{
    try
    {
        const auto estimate = EstimateRun(LoadScenario(plan.scenario, OnNetwork(kind)));
        return estimate ? std::optional(estimate->wallSeconds) : std::nullopt;
    }
    catch (const ConfigError&)
    {
        return 0; // its run says why it can't
    }
}

std::vector<ListedPlan>
MeasurePlans(std::vector<ListedPlan> plans,
             const PlanningScenario& scenario,
             const fs::path& folder,
             const std::string& name,
             const RunPool& pool)
{
    std::vector<const ListedPlan*> toRun;
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        WriteScenario(plans[rank], scenario, folder, fmt::format("{}-{}", name, rank + 1));
        toRun.push_back(&plans[rank]);
    }
    const auto runs = folder / "measured"; // only for as long as they run
    const auto measured =
        RunPlans(toRun, AnalyticNetwork::StaticKind().name, scenario.run.wallDeadline, runs, pool);
    std::error_code kept; // what is not geotrain's
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        const auto run = runs / fs::path(plans[rank].scenario.file).stem();
        RemoveResults(run);
        fs::remove(run, kept);
        RankedPlan& plan = plans[rank].plan;
        plans[rank].analytic = measured[rank];
        const StageTable table = MakeStageTable(scenario.job, scenario.cluster, plan.plan);
        plan.cost = CostOf(plan.plan, scenario.cluster, table, measured[rank].seconds);
    }
    fs::remove(runs, kept);
    std::stable_sort(plans.begin(),
                     plans.end(),
                     [](const ListedPlan& a, const ListedPlan& b)
                     {
                         const bool hasFailed = !a.analytic.failure.empty();
                         return hasFailed != !b.analytic.failure.empty()
                                    ? !hasFailed
                                    : a.analytic.seconds < b.analytic.seconds;
                     });
    double cheapest = std::numeric_limits<double>::infinity();
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        const double price = PriceOf(plans[rank].plan.cost, scenario.cluster);
        plans[rank].isOnFront = plans[rank].analytic.failure.empty() && price < cheapest;
        cheapest = plans[rank].isOnFront ? price : cheapest;
        WriteScenario(plans[rank], scenario, folder, fmt::format("{}-{}", name, rank + 1));
        WriteIntoPlace(plans[rank].scenario.file, plans[rank].scenario.text);
    }
    return plans;
}

double
RefuseLargeOverPackets(std::vector<ListedPlan>& plans, std::size_t count)
{
    double all = 0;
    for (std::size_t rank = 0; rank < std::min(count, plans.size()); ++rank)
    {
        ListedPlan& plan = plans[rank];
        const auto seconds = EstimateSeconds(plan, PacketNetworkKind().name);
        if (seconds && *seconds <= mostSecondsOverPackets)
        {
            all += *seconds;
            continue;
        }
        plan.packetsRefusal =
            fmt::format("plan {} did not run over packets, which would take {}: geotrain run {}",
                        rank + 1,
                        seconds ? fmt::format("about {:.0f} min", *seconds / 60) : "hours",
                        plan.scenario.file);
    }
    return all;
}

void
RunOverPackets(std::vector<ListedPlan>& plans,
               std::size_t count,
               const std::optional<Duration>& wallDeadline,
               const fs::path& folder,
               const RunPool& pool)
{
    std::vector<ListedPlan*> run;
    for (std::size_t rank = 0; rank < std::min(count, plans.size()); ++rank)
    {
        if (plans[rank].packetsRefusal.empty())
        {
            run.push_back(&plans[rank]);
        }
    }
    if (run.empty())
    {
        return;
    }
    const auto measured =
        RunPlans({run.begin(), run.end()}, PacketNetworkKind().name, wallDeadline, folder, pool);
    for (std::size_t index = 0; index < run.size(); ++index)
    {
        run[index]->packets = measured[index];
    }
}

std::string
FailureOf(const ListedPlan& plan)
{
    return !plan.analytic.failure.empty() || !plan.packets ? plan.analytic.failure
                                                           : plan.packets->failure;
}

std::vector<std::string>
ReversedRankings(const std::vector<ListedPlan>& plans)
{
    std::vector<std::string> reversed;
    const auto hasRun = [](const ListedPlan& plan)
    { return plan.packets && plan.packets->failure.empty(); };
    for (std::size_t first = 0; first < plans.size(); ++first)
    {
        for (std::size_t second = first + 1; second < plans.size(); ++second)
        {
            const auto& a = plans[first];
            const auto& b = plans[second];
            if (hasRun(a) && hasRun(b) && a.analytic.seconds < b.analytic.seconds &&
                a.packets->seconds > b.packets->seconds)
            {
                reversed.push_back(
                    fmt::format("packets reverse the ranking: plan {} takes {:.6g} s, "
                                "plan {} only {:.6g} s",
                                first + 1,
                                a.packets->seconds,
                                second + 1,
                                b.packets->seconds));
            }
        }
    }
    return reversed;
}

} // namespace geotrain
