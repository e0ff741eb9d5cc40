// SPDX-License-Identifier: GPL-2.0-only
// What a search must hold on a scenario of the library: the plan is at least as good as the scenario
// itself, as simulated, and the estimates of the best twenty plans hold against their simulation.
#pragma once

#include "planner/plan-search.h"
#include "planner/plan-simulation.h"
#include "plan-study/plan-ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace geotrain
{

inline void
ExpectSearchHolds(const std::string& name)
{
    const ScenarioText text = ReadScenarioText(name);
    const auto scenario = LoadForPlanning(text);
    const auto search = SearchPlans(PlanSpaceOf(scenario), scenario.job, scenario.cluster);
    const auto own = LoadScenario(text);
    const auto table = MakeStageTable(own.jobs[0].job, own.jobs[0].cluster, own.jobs[0].plan);
    const double itself =
        SimulatePlan(own.jobs[0].plan, {own.jobs[0].job, own.jobs[0].cluster, table})
            .iterationTime.ToSeconds();
    EXPECT_LE(search.ranked.front().simulation.iterationTime.ToSeconds(), itself) << name;
    std::vector<std::string> names;
    for (const auto& site : scenario.cluster.wan.sites)
    {
        names.push_back(site.name);
    }
    for (std::size_t rank = 0; rank < std::min<std::size_t>(20, search.ranked.size()); ++rank)
    {
        const RankedPlan& plan = search.ranked[rank];
        const double simulated = plan.simulation.iterationTime.ToSeconds();
        EXPECT_NEAR(plan.estimate.seconds / simulated, 1, 0.15)
            << name << ", rank " << rank + 1 << ": " << plan.estimate.seconds << " s estimated, "
            << simulated << " s simulated, " << Describe(plan.plan, names);
    }
}

} // namespace geotrain
