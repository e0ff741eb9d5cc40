// SPDX-License-Identifier: GPL-2.0-only
// On every scenario of the library that can be planned, the plan is at least as good as the scenario
// itself, as simulated; and the estimates of the best twenty plans hold against their simulation.
#include "planner/plan-search.h"
#include "planner/plan-simulation.h"
#include "planning/planning-input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace geotrain
{
namespace
{

class LibrarySearch : public testing::TestWithParam<const char*>
{
};

TEST_P(LibrarySearch, FindsAPlanAtLeastAsGoodAsTheScenarioAndEstimatesTheBestWithin15Percent)
{
    const ScenarioText text = ReadScenarioText(GetParam());
    const auto scenario = LoadForPlanning(text);
    const auto search = SearchPlans(PlanSpaceOf(scenario), scenario.job, scenario.cluster);
    const auto own = LoadScenario(text);
    const auto table = MakeStageTable(own.job, own.cluster, own.plan);
    const double itself =
        SimulatePlan(own.plan, own.job, own.cluster, table).iterationTime.ToSeconds();
    EXPECT_LE(search.ranked.front().simulation.iterationTime.ToSeconds(), itself);
    for (std::size_t rank = 0; rank < std::min<std::size_t>(20, search.ranked.size()); ++rank)
    {
        const RankedPlan& plan = search.ranked[rank];
        const double simulated = plan.simulation.iterationTime.ToSeconds();
        EXPECT_NEAR(plan.estimate.seconds / simulated, 1, 0.15)
            << "rank " << rank + 1 << ": " << plan.estimate.seconds << " s estimated, " << simulated
            << " s simulated, " << plan.plan.schedule;
    }
}

INSTANTIATE_TEST_SUITE_P(Library,
                         LibrarySearch,
                         testing::Values("abilene-gpt",
                                         "atlas-bubbletea",
                                         "atlas-headline",
                                         "congestion-control-training",
                                         "million-prefills",
                                         "pipefill-40b",
                                         "pipefill-jitter",
                                         "schedules-over-distance",
                                         "single-dc",
                                         "ten-thousand-gpus",
                                         "three-dc-bubbletea",
                                         "three-dc-gpt",
                                         "two-regions"));

} // namespace
} // namespace geotrain
