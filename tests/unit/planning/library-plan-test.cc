// SPDX-License-Identifier: GPL-2.0-only
// The throughputs that the page of ten-thousand-gpus gives for Algorithm 1 are those that it plans.
#include "planner/atlas-planner.h"
#include "planning/planning-input.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(LibraryPlan, ThroughputGrowsAlmostInProportionToTheCells)
{
    const auto scenario = LoadForPlanning(ReadScenarioText("ten-thousand-gpus"));
    const auto plan = PlanCells(scenario.plan, scenario.job, scenario.cluster);
    const double expected[] = {28.9, 56.7, 84.1, 110.6}; // sequences/s, with 1 to 4 DP-cells
    ASSERT_EQ(plan.curve.size(), 5u);
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_NEAR(plan.curve[i].sequencesPerSecond, expected[i], 0.01 * expected[i]);
    }
    EXPECT_FALSE(plan.curve[4].missing.empty());
}

} // namespace
} // namespace geotrain
