// SPDX-License-Identifier: GPL-2.0-only
#include "plan-study/plan-list.h"

#include "analytic/analytic-network.h"
#include "loader/network-kinds.h"
#include "loader/plan-scenario.h"
#include "planner/plan-candidates.h"
#include "planner/plan-twins.h"
#include "runner/exit-codes.h"
#include "runner/run-estimate.h"
#include "trace/result-file.h"
#include "training-plan/stage-table.h"
#include "units/config-error.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns the plans of a search without those that are another's twins, which go into its row.
std::vector<ListedPlan>
WithoutTwins(const PlanSearch& search, const Cluster& cluster)
{
    std::vector<ListedPlan> plans;
    for (const RankedPlan& plan : search.ranked)
    {
        const auto twin =
            std::find_if(plans.begin(),
                         plans.end(),
                         [&](const ListedPlan& one) { return AreTwins(one.plan, plan, cluster); });
        if (twin != plans.end())
        {
            twin->twins.push_back(plan.plan);
        }
        else
        {
            plans.emplace_back().plan = plan;
        }
    }
    return plans;
}

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

MeasuredPlan
ResultOf(const fs::path& folder, int code)
{
    MeasuredPlan measured;
    if (code == exitDone)
    {
        const Summary summary = SummaryOf(folder);
        measured.seconds = summary.Find("iteration_time").value_or(0);
        measured.warnings = summary.warnings;
        return measured;
    }
    std::ifstream messages(folder / "messages.txt");
    std::string line;
    std::getline(messages, line);
    measured.failure =
        code == interruptedJob ? "interrupted" : fmt::format("exit {}: {}", code, line);
    return measured;
}

/// Runs the plans on a network, each in a folder of `folder` that is called as its file.
std::vector<MeasuredPlan>
RunPlans(const std::vector<const ListedPlan*>& plans,
         const std::string& kind,
         const fs::path& folder,
         const RunPool& pool)
{
    std::vector<PlannedRun> runs;
    for (const ListedPlan* plan : plans)
    {
        runs.push_back({&plan->scenario,
                        runs.size(),
                        {},
                        OnNetwork(kind),
                        folder / fs::path(plan->scenario.file).stem()});
    }
    const auto codes = RunAll(runs, pool);
    std::vector<MeasuredPlan> measured;
    for (std::size_t index = 0; index < runs.size(); ++index)
    {
        measured.push_back(ResultOf(runs[index].folder, codes[index]));
    }
    return measured;
}

} // namespace

std::vector<ListedPlan>
ListPlans(const PlanSearch& search, const PlanningScenario& scenario, std::size_t most)
{
    std::vector<ListedPlan> all = WithoutTwins(search, scenario.cluster);
    std::vector<std::size_t> order;    // those to take, the most wanted first
    std::vector<std::size_t> ofPlaces; // the best of each set of data centres
    std::vector<std::size_t> ofKinds;  // and of each sharing and schedule
    std::set<std::set<std::uint32_t>> places;
    std::set<std::pair<WanSharing, CrossDc>> sharing;
    std::set<std::string> schedules;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
    {
        const TrainingPlan& plan = all[rank].plan.plan;
        const bool isOfNewPlace = places.insert(DataCentersOf(plan)).second;
        const bool isOfNewSharing = sharing.emplace(plan.sharing, plan.crossDc).second;
        const bool isOfNewSchedule = schedules.insert(plan.schedule).second;
        all[rank].isOwn = scenario.ownPlan && !scenario.ownPlan->customOrder &&
                          IsSamePlan(plan, *scenario.ownPlan);
        if (rank == 0 || all[rank].isOwn)
        {
            order.push_back(rank);
        }
        else if (isOfNewPlace)
        {
            ofPlaces.push_back(rank);
        }
        else if (isOfNewSharing || isOfNewSchedule)
        {
            ofKinds.push_back(rank);
        }
    }
    const auto add = [&order](std::size_t rank)
    {
        if (std::find(order.begin(), order.end(), rank) == order.end())
        {
            order.push_back(rank);
        }
    };
    for (std::size_t rank = 0; rank < std::min(all.size(), most / 3); ++rank)
    {
        add(rank);
    }
    std::for_each(ofPlaces.begin(), ofPlaces.end(), add);
    std::for_each(ofKinds.begin(), ofKinds.end(), add);
    for (std::size_t rank = 0; rank < all.size(); ++rank)
    {
        add(rank);
    }
    order.resize(std::min(order.size(), most));
    std::sort(order.begin(), order.end());
    std::vector<ListedPlan> listed;
    std::transform(order.begin(),
                   order.end(),
                   std::back_inserter(listed),
                   [&all](std::size_t rank) { return std::move(all[rank]); });
    for (std::size_t rank = 0; rank < listed.size(); ++rank)
    {
        WriteScenario(listed[rank], scenario, fs::path(), fmt::format("plan-{}", rank + 1));
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
    const auto measured = RunPlans(toRun, AnalyticNetwork::StaticKind().name, runs, pool);
    fs::remove_all(runs);
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        RankedPlan& plan = plans[rank].plan;
        plans[rank].analytic = measured[rank];
        const StageTable table = MakeStageTable(scenario.job, scenario.cluster, plan.plan);
        plan.cost = CostOf(plan.plan, scenario.cluster, table, measured[rank].seconds);
    }
    std::stable_sort(plans.begin(),
                     plans.end(),
                     [](const ListedPlan& a, const ListedPlan& b)
                     {
                         const bool hasFailed = !a.analytic.failure.empty();
                         return hasFailed != !b.analytic.failure.empty()
                                    ? !hasFailed
                                    : a.analytic.seconds < b.analytic.seconds;
                     });
    const bool hasPrices = HasPrices(scenario.cluster);
    double cheapest = std::numeric_limits<double>::infinity();
    for (std::size_t rank = 0; rank < plans.size(); ++rank)
    {
        const PlanCost& cost = plans[rank].plan.cost;
        const double price = hasPrices ? cost.dollars : cost.gpuHours;
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
        RunPlans({run.begin(), run.end()}, PacketNetworkKind().name, folder, pool);
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
