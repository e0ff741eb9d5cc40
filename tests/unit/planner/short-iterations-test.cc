// SPDX-License-Identifier: GPL-2.0-only
// Checks over how many microbatches a plan is simulated in short, and what two lengths say of a third.
#include "planner-fixture.h"

#include "planner/short-iterations.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TrainingPlan
PlanOf(std::uint32_t stages, std::uint32_t microbatches)
{
    TrainingPlan plan;
    plan.pipelineStages = stages;
    plan.microbatches = microbatches;
    plan.schedule = "1f1b";
    plan.hosts = {{0, stages / 2}, {1, stages - stages / 2}};
    return plan;
}

TEST(ShortIterations, AnIterationOfFewMicrobatchesIsSimulatedAsItIs)
{
    const ShortIterations lengths(PlanOf(4, 27), 24); // less than a round of the pipeline more
    EXPECT_EQ(lengths.longer, 27u);
    EXPECT_EQ(lengths.shorter, 27u);
    EXPECT_EQ(lengths.Extrapolated(27, 3.5, 3.5), 3.5);
}

TEST(ShortIterations, OfMoreTwoShorterOnesHaveTheSameRestOverTheStages)
{
    const ShortIterations lengths(PlanOf(6, 1001), 96);
    EXPECT_NEAR(lengths.longer, 96, 6);
    EXPECT_NEAR(lengths.shorter, 48, 6);
    EXPECT_EQ(lengths.longer % 6, 1001 % 6);
    EXPECT_EQ(lengths.shorter % 6, 1001 % 6);
    // m microbatches take 0.3 s + m 10 ms.
    const double longer = 0.3 + 0.010 * lengths.longer;
    const double shorter = 0.3 + 0.010 * lengths.shorter;
    EXPECT_NEAR(lengths.Extrapolated(1001, longer, shorter), 0.3 + 10.01, 1e-9);
}

TEST(ShortIterations, ADeepPipelineHasAtLeastFourTimesItsDepth)
{
    EXPECT_NEAR(ShortIterations(PlanOf(16, 1000), 24).longer, 64, 16);
}

TEST(ShortIterations, OfAlikeCellsOneIsSimulated)
{
    TrainingPlan plan = PlanOf(2, 64);
    plan.dataParallel = 64;
    const Cluster cluster = Chain({64, 64}, 1);
    EXPECT_LT(ShortIterations(plan, 96).Forwards(plan, cluster), 64u * 2 * 64);
}

// 1F1B on two stages 40 ms apart: a whole iteration of 200 microbatches against two of 24 and 12.
TEST(ShortIterations, TellWhatAWholeIterationTakes)
{
    const TrainingJob job = SmallJob(4, 200);
    const Cluster cluster = Chain({1, 1}, 1);
    const TrainingPlan plan = PlanOf(2, 200);
    const StageTable table = MakeStageTable(job, cluster, plan);
    OrderCache orders;
    const double whole = SimulatePlan(plan, {job, cluster, table}).iterationTime.ToSeconds();
    const double inShort =
        ShortIterations(plan, 24).Simulate(plan, {job, cluster, table, &orders});
    EXPECT_NEAR(inShort, whole, 0.05 * whole);
}

} // namespace
} // namespace geotrain
