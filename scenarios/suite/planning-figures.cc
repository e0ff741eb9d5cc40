// SPDX-License-Identifier: GPL-2.0-only
// The paper's figures about Atlas's planner, Algorithm 1. They need no runs: the planner estimates
// the time of each plan.
#include "loader/scenario-loader.h"
#include "planner/atlas-planner.h"
#include "suite/paper-sets.h"
#include "suite/suite-drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

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
SuiteCurve
ThroughputByGpus(const PlanningScenario& scenario, std::size_t count, std::uint32_t step)
{
    SuiteCurve curve{fmt::format("{} data centre{}", count, count == 1 ? "" : "s"), {}, {}};
    for (std::uint32_t nodes = step; nodes <= 160; nodes += step)
    {
        const auto cluster = WithNodes(scenario.cluster, std::vector<std::uint32_t>(count, nodes));
        const double throughput = ThroughputOf(PlanOf(scenario, cluster));
        if (throughput > 0)
        {
            curve.points.emplace_back(static_cast<double>(cluster.Gpus()), throughput);
        }
    }
    return curve;
}

void
DrawPlanByGpus(const SuiteResults&, const FigurePlace& place)
{
    const auto scenario = PlannedScenario();
    std::vector<SuiteCurve> curves;
    for (const std::size_t count : {1, 2, 4, 8})
    {
        curves.push_back(ThroughputByGpus(scenario, count, 20));
    }
    const auto whole = WithNodes(scenario.cluster, std::vector<std::uint32_t>(8, 160));
    const auto plan = PlanOf(scenario, whole);
    SuiteCurveLabels labels{"GPUs in all data centres", "Throughput (sequences/s)"};
    const auto& best = plan.curve[plan.best.value()].plan;
    labels.published = {
        {fmt::format("The plan: {} GPUs, {} data centres", best.Gpus(), best.hosts.size()),
         {{static_cast<double>(best.Gpus()), ThroughputOf(plan)}},
         {}}};
    DrawSuiteCurves(labels, curves, place);
}

/// UnequalCurves are the choices as a second data centre grows.
struct UnequalCurves
{
    SuiteCurve both{"Stages in both data centres", {}, {}};
    SuiteCurve alone{"First data centre alone", {}, {}};
    SuiteCurve plan{"The plan", {}, {}};
};

UnequalCurves
PlanUnequal(const PlanningScenario& scenario)
{
    UnequalCurves curves;
    constexpr std::uint32_t first = 160;
    const double alone = ThroughputOf(PlanOf(scenario, WithNodes(scenario.cluster, {first})));
    for (std::uint32_t second = 10; second <= first; second += 10)
    {
        const auto plan = PlanOf(scenario, WithNodes(scenario.cluster, {first, second}));
        const double x = 100.0 * second / first;
        const double both = plan.leftOut.empty() ? ThroughputOf(plan)
                                                 : plan.leftOut.front().sequencesPerSecondWithIt;
        if (both > 0)
        {
            curves.both.points.emplace_back(x, both);
        }
        curves.alone.points.emplace_back(x, alone);
        curves.plan.points.emplace_back(x, ThroughputOf(plan));
    }
    return curves;
}

void
DrawPlanUnequal(const SuiteResults&, const FigurePlace& place)
{
    const auto curves = PlanUnequal(PlannedScenario());
    SuiteCurveLabels labels{"GPUs of the second site (% of the first's)",
                            "Throughput (sequences/s)"};
    labels.published = {curves.plan};
    DrawSuiteCurves(labels, {curves.both, curves.alone}, place);
}

constexpr const char* planSetting =
    "Llama-3 405B on H200, TP 8 x PP 16, DP-cells of 5 pipelines that share the WAN temporally, 32 "
    "microbatches per pipeline, 25 Gbit/s per node pair, a ring of data centres with 20 ms of "
    "round "
    "trip per link; times are the planner's estimates (Atlas, Algorithm 1).";

} // namespace

std::vector<SuiteFigure>
PlanningFigures()
{
    return {{"plan-gpus",
             "How does throughput grow with GPUs, in one data centre or spread over several?",
             std::string(planSetting) + " Each point is the best number of DP-cells.",
             {},
             DrawPlanByGpus},
            {"plan-unequal",
             "From which size on is a second data centre worth its distance?",
             std::string(planSetting) + " The first data centre has 1,280 GPUs.",
             {},
             DrawPlanUnequal}};
}

} // namespace geotrain
