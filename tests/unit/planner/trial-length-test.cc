// SPDX-License-Identifier: GPL-2.0-only
// Checks over how many microbatches a schedule is tried, and what two lengths say of a third.
#include "planner-fixture.h"

#include "planner/trial-length.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TrainingPlan
PlanOf(std::uint32_t stages, std::uint32_t replicas, std::uint32_t microbatches)
{
    TrainingPlan plan;
    plan.pipelineStages = stages;
    plan.dataParallel = replicas;
    plan.microbatches = microbatches;
    plan.hosts = {{0, stages / 2}, {1, stages - stages / 2}};
    return plan;
}

/// Returns equal stages with a hop of `delay` after each.
ScheduleTimes
TimesWith(std::uint32_t stages, Duration delay)
{
    ScheduleTimes times;
    times.stages.assign(stages,
                        {Duration::Milliseconds(10),
                         Duration(),
                         Duration::Milliseconds(10),
                         Duration::Milliseconds(10),
                         Duration()});
    times.hops.assign(stages - 1, Hop{delay, Duration::Milliseconds(1)});
    return times;
}

/// Two data centres of which every pipeline shares the nodes, so that all have to run.
Cluster
SharedNodes()
{
    return Chain({1, 1}, 256);
}

std::optional<TrialLength>
LengthOf(const TrainingPlan& plan, Duration delay = Duration::Milliseconds(1))
{
    return LengthOfTrials(plan, TimesWith(plan.pipelineStages, delay), SharedNodes());
}

TEST(TrialLength, AnIterationOfFewForwardsIsTriedWhole)
{
    const auto length = LengthOf(PlanOf(4, 4, 128)); // 2,048
    ASSERT_TRUE(length);
    EXPECT_TRUE(length->isWhole);
    EXPECT_EQ(length->longer, 128u);
    EXPECT_EQ(length->Extrapolated(128, 3.5, 3.5), 3.5);
}

TEST(TrialLength, OfMoreTwoShorterOnesAreTriedWithTheSameRestOverTheStages)
{
    const auto length = LengthOf(PlanOf(6, 2, 1001));
    ASSERT_TRUE(length);
    EXPECT_FALSE(length->isWhole);
    EXPECT_NEAR(length->longer, 96, 6);
    EXPECT_NEAR(length->shorter, 48, 6);
    EXPECT_EQ(length->longer % 6, 1001 % 6);
    EXPECT_EQ(length->shorter % 6, 1001 % 6);
    // m microbatches take 0.3 s + m 10 ms.
    const double longer = 0.3 + 0.010 * length->longer;
    const double shorter = 0.3 + 0.010 * length->shorter;
    EXPECT_NEAR(length->Extrapolated(1001, longer, shorter), 0.3 + 10.01, 1e-9);
}

TEST(TrialLength, ALongWayNeedsMoreMicrobatches)
{
    // 2 stages of 30 ms and 2 x 501 ms between them: 1,062 / 30 = 35 microbatches are in flight.
    const auto length = LengthOf(PlanOf(2, 2, 1000), Duration::Milliseconds(500));
    ASSERT_TRUE(length);
    EXPECT_NEAR(length->longer, 4 * 35, 2 * 2);
}

TEST(TrialLength, ADeepPipelineOfManyReplicasIsTooLong)
{
    EXPECT_TRUE(LengthOf(PlanOf(16, 8, 256))); // 4 x 16 x 16 x 8 = 8,192
    EXPECT_FALSE(LengthOf(PlanOf(16, 9, 256)));
}

TEST(TrialLength, OfAlikeCellsOneIsTried)
{
    const TrainingPlan plan = PlanOf(2, 64, 64); // 8,192 forwards, of which one replica has 128
    const auto length =
        LengthOfTrials(plan, TimesWith(2, Duration::Milliseconds(1)), Chain({64, 64}, 1));
    ASSERT_TRUE(length);
    EXPECT_EQ(length->longer, 64u);
    EXPECT_LT(length->forwards, 64u * 2 * 64);
}

} // namespace
} // namespace geotrain
