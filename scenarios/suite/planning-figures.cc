// SPDX-License-Identifier: GPL-2.0-only
#include "suite/planning-figures.h"

#include "figures/curve-family-figure.h"
#include "loader/scenario-loader.h"
#include "planner/atlas-planner.h"
#include "trace/result-file.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace geotrain
{

namespace
{

/// Returns the job and the eight data centres that are planned for.
PlanningScenario
PlannedScenario()
{
    return LoadForPlanning(ReadScenarioText("schedules-over-distance"),
                           {{"variant=", ""},
                            {"grid=", ""},
                            {"wan_link[*].delay=10ms", "suite"},
                            {"schedule.name=1f1b", "suite"},
                            {"sharing=TEMPORAL", "suite"}});
}

/// Returns the cluster with `nodes` nodes in each data centre; data centres without nodes take no
/// part.
Cluster
WithNodes(Cluster cluster, const std::vector<std::uint32_t>& nodes)
{
    for (std::size_t site = 0; site < cluster.dataCenters.size(); ++site)
    {
        cluster.wan.sites[site].nodes = site < nodes.size() ? nodes[site] : 0;
    }
    return cluster;
}

/// Returns the plan of the cluster, or one without a best point where nothing fits.
AtlasPlan
PlanOf(const PlanningScenario& scenario, const Cluster& cluster)
{
    try
    {
        return PlanCells(scenario.plan, scenario.job, cluster);
    }
    catch (const std::invalid_argument&)
    {
        return {};
    }
}

double
ThroughputOf(const AtlasPlan& plan)
{
    return plan.best ? plan.curve[*plan.best].sequencesPerSecond : 0;
}

/// Returns the best throughput with `count` equal data centres against their GPUs.
CurvePoints
ThroughputByGpus(const PlanningScenario& scenario, std::size_t count)
{
    constexpr std::uint32_t step = 20; // nodes
    CurvePoints points;
    for (std::uint32_t nodes = step; nodes <= 160; nodes += step)
    {
        const auto cluster = WithNodes(scenario.cluster, std::vector<std::uint32_t>(count, nodes));
        const double throughput = ThroughputOf(PlanOf(scenario, cluster));
        if (throughput > 0)
        {
            points.emplace_back(static_cast<double>(cluster.Gpus()), throughput);
        }
    }
    return points;
}

constexpr const char* planSetting =
    "Llama-3 405B, H200, TP 8 x PP 16, DP-cells of 5, 32 microbatches, ring of 20 ms per link";

/// Returns the curves with 1 to 8 data centres, and the plan for all of them.
CurveFamily
PlanByGpus(const PlanningScenario& scenario)
{
    CurveFamily family{"GPUs in all data centres", "Throughput (sequences/s)"};
    family.title = planSetting;
    for (const std::size_t count : {1, 2, 4, 8})
    {
        family.curves.emplace_back(
            fmt::format("{} data centre{}", count, count == 1 ? "" : "s"),
            ThroughputByGpus(scenario, count));
    }
    const auto whole = WithNodes(scenario.cluster, std::vector<std::uint32_t>(8, 160));
    const auto plan = PlanOf(scenario, whole);
    const auto& best = plan.curve[plan.best.value()].plan;
    family.published = {
        {fmt::format("The plan: {} GPUs, {} data centres", best.Gpus(), best.hosts.size()),
         {{static_cast<double>(best.Gpus()), ThroughputOf(plan)}}}};
    return family;
}

/// Returns the choices as a second data centre grows.
CurveFamily
PlanUnequal(const PlanningScenario& scenario)
{
    constexpr std::uint32_t first = 160; // nodes
    const double alone = ThroughputOf(PlanOf(scenario, WithNodes(scenario.cluster, {first})));
    CurvePoints both;
    CurvePoints ofFirst;
    CurvePoints ofPlan;
    for (std::uint32_t second = 10; second <= first; second += 10)
    {
        const auto plan = PlanOf(scenario, WithNodes(scenario.cluster, {first, second}));
        const double x = 100.0 * second / first;
        const double withBoth = plan.leftOut.empty()
                                    ? ThroughputOf(plan)
                                    : plan.leftOut.front().sequencesPerSecondWithIt;
        if (withBoth > 0)
        {
            both.emplace_back(x, withBoth);
        }
        ofFirst.emplace_back(x, alone);
        ofPlan.emplace_back(x, ThroughputOf(plan));
    }
    CurveFamily family{"GPUs of the second site (% of the first's)", "Throughput (sequences/s)"};
    family.title = planSetting;
    family.curves = {{"Stages in both data centres", both}, {"First data centre alone", ofFirst}};
    family.published = {{"The plan", ofPlan}};
    return family;
}

} // namespace

std::vector<std::string>
PlanningFigureNames()
{
    return {"plan-gpus", "plan-unequal"};
}

void
DrawPlanningFigures(const FigurePlace& folder)
{
    MakeResultFolder(folder.Path());
    const auto scenario = PlannedScenario();
    DrawCurveFamily(PlanByGpus(scenario), folder / "plan-gpus");
    DrawCurveFamily(PlanUnequal(scenario), folder / "plan-unequal");
}

} // namespace geotrain
