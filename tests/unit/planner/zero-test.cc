// SPDX-License-Identifier: GPL-2.0-only
// With ZeRO-1 the optimiser's state and its step are shared out over the replicas (Rajbhandari et
// al. 2020, P_os).
#include "planner-fixture.h"

#include "training-plan/stage-table.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TEST(Zero1, StateIsSixBytesAParameterAndTwelveOverTheReplicas)
{
    const auto model = SmallJob(4, 8).model;
    const StageShare share{4, false, false};
    const auto parameters = static_cast<double>(StageParameters(model, share));
    for (const std::uint32_t replicas : {1u, 2u, 8u})
    {
        const auto memory = MemoryOfStage(model, share, {1, 2}, 1, replicas);
        // (2 + 4 + 12/n) bytes per parameter over a tensor-parallel group of 2, rounded to a byte.
        EXPECT_NEAR(
            static_cast<double>(memory.state.Count()), parameters * (6 + 12.0 / replicas) / 2, 1);
    }
}

TEST(Zero1, LeavesActivationsAlone)
{
    const auto model = SmallJob(4, 8).model;
    const auto whole = MemoryOfStage(model, {4, true, false}, {}, 3, 1);
    const auto sharded = MemoryOfStage(model, {4, true, false}, {}, 3, 8);
    EXPECT_EQ(whole.activations, sharded.activations);
    EXPECT_EQ(whole.working, sharded.working);
}

TEST(Zero1, TheOptimizerStepIsSharedOut)
{
    TrainingJob job = SmallJob(4, 8);
    const Cluster cluster = Chain({8}, 1);
    TrainingPlan plan;
    plan.dataParallel = 8;
    StageTables tables(job, cluster);
    const auto& table = tables.Of({1, 1, 1});
    const auto whole = TimesIn(0, job, cluster, table, plan)[0].optimizerStep;
    job.shardsOptimizer = true;
    const auto sharded = TimesIn(0, job, cluster, table, plan)[0].optimizerStep;
    EXPECT_NEAR(sharded.ToSeconds() * 8, whole.ToSeconds(), 8e-9); // rounded to nanoseconds
}

// 2 bytes a parameter, whose all-gather is half of an all-reduce of as many.
TEST(Zero1, ParametersAreGatheredAfterAnAllReduceOfWideGradients)
{
    TrainingJob job = SmallJob(4, 8);
    job.model.gradientBytesPerParameter = 4;
    job.software = Software::MegatronDeepspeed;
    const Cluster cluster = Chain({8}, 1);
    EXPECT_TRUE(StageTables(job, cluster).Of({2, 1, 1}).gathered.empty());
    job.shardsOptimizer = true;
    StageTables tables(job, cluster);
    const auto& table = tables.Of({2, 1, 1});
    for (std::size_t stage = 0; stage < 2; ++stage)
    {
        EXPECT_EQ(table.gathered[stage].Count() * 2, table.gradients[stage].Count());
        EXPECT_EQ(table.Reduced(stage).Count() * 4, table.gradients[stage].Count() * 5);
    }
}

} // namespace
} // namespace geotrain
