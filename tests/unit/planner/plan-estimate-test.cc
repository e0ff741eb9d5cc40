// SPDX-License-Identifier: GPL-2.0-only
// Checks the cheap estimate against closed forms, and the simulations against each other.
#include "planner-fixture.h"

#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TrainingPlan
OneStageEach(std::uint32_t stages, std::uint32_t microbatches, const std::string& schedule)
{
    TrainingPlan plan;
    plan.pipelineStages = stages;
    plan.microbatches = microbatches;
    plan.schedule = schedule;
    for (std::uint32_t stage = 0; stage < stages; ++stage)
    {
        plan.hosts.push_back({stage, 1});
    }
    return plan;
}

/// Makes stages that all take 10 ms forward and 20 ms backward, without update.
StageTimer
EqualStages()
{
    return [](const StageShare&, std::uint32_t, const GpuSpec&, const StageExecution&)
    {
        return StageTiming{Duration::Milliseconds(10),
                           Duration(),
                           Duration::Milliseconds(10),
                           Duration::Milliseconds(10),
                           Duration()};
    };
}

struct EqualStagesCase
{
    TrainingJob job = SmallJob(4, 8);
    Cluster cluster;
    double hop = 0; ///< transmission and delay, s
    TrainingPlan plan;

    EqualStagesCase(std::uint32_t stages, std::uint32_t microbatches, const std::string& schedule)
        : cluster(Chain(std::vector<std::uint32_t>(stages, 1), 1, Duration::Milliseconds(40))),
          plan(OneStageEach(stages, microbatches, schedule))
    {
        job.timeStage = EqualStages();
        // At 100 Gbit/s transmission never limits: 16.8 MB take 1.3 ms.
        cluster.wan.caps.nodePair.reset();
        cluster.transport.connection.window = Bytes();
        hop = 0.040 + 2048.0 * 4096 * 2 * 8 / 100e9;
    }

    PlanEstimate Estimate() const
    {
        StageTables tables(job, cluster);
        return EstimatePlan(plan,
                            job,
                            cluster,
                            ClusterWays(cluster),
                            tables.Of(plan.pipelineStages, 1, 1),
                            InFlightOf(plan));
    }

    double Simulated() const
    {
        StageTables tables(job, cluster);
        return SimulatePlan(plan, job, cluster, tables.Of(plan.pipelineStages, 1, 1))
            .iterationTime.ToSeconds();
    }
};

TEST(PlanEstimate, GPipeIsTheClosedForm)
{
    const EqualStagesCase one(4, 12, "gpipe");
    // (m + p - 1)(F + B) + 2c(p - 1)
    const double expected = (12 + 3) * 0.030 + 2 * one.hop * 3;
    EXPECT_NEAR(one.Estimate().pipelineSeconds, expected, 1e-9);
    EXPECT_NEAR(one.Simulated(), expected, 1e-6); // nanosecond rounding of events
}

TEST(PlanEstimate, OneForwardOneBackwardIsTheClosedFormToTwoHopsOverStages)
{
    const EqualStagesCase one(4, 12, "1f1b");
    // (m + p - 1)(F + B) + 2c[(p - 1)m/p + (p - 2)], p | m
    const double expected = (12 + 3) * 0.030 + 2 * one.hop * (3.0 * 12 / 4 + 2);
    EXPECT_NEAR(one.Estimate().pipelineSeconds, expected, 2 * one.hop / 4 + 1e-9);
    EXPECT_NEAR(one.Simulated(), expected, 1e-6);
}

TEST(PlanEstimate, OneStageTakesItsWork)
{
    const EqualStagesCase one(1, 7, "1f1b");
    EXPECT_NEAR(one.Estimate().seconds, 7 * 0.030, 1e-9);
}

TEST(PlanEstimate, TheWanSetsThePaceWhereMessagesTakeLongerThanWork)
{
    EqualStagesCase one(2, 64, "gpipe");
    one.cluster.wan.caps.nodePair = BitRate::BitsPerSecond(1000000000);
    // S = 16.8 MB at 1 Gbit/s: o = 134 ms > F, B. Forward and backward each take m o, give or take
    // a message.
    const double o = 2048.0 * 4096 * 2 * 8 / 1e9;
    EXPECT_NEAR(one.Estimate().pipelineSeconds, 2 * 64 * o, 2 * o);
    EXPECT_NEAR(one.Simulated(), one.Estimate().seconds, 0.02 * one.Simulated()); // 1 message of 64
}

TEST(PlanSimulation, OneOfAlikeCellsStandsForAll)
{
    for (const WanSharing sharing : {WanSharing::Spatial, WanSharing::Temporal})
    {
        Cluster cluster = Chain({8, 8}, 1);
        SetLinkRates(cluster, BitRate::GigabitsPerSecond(10)); // shared by all
        const TrainingJob job = SmallJob(4, 64);
        TrainingPlan plan = OneStageEach(2, 8, "1f1b");
        plan.dataParallel = 8;
        plan.cellSize = 4;
        plan.sharing = sharing;
        StageTables tables(job, cluster);
        const StageTable& table = tables.Of(2, 1, 1);
        ASSERT_EQ(AlikeCells(plan, cluster), sharing == WanSharing::Spatial ? 8u : 2u);
        const auto folded = SimulatePlan(plan, job, cluster, table);
        const auto whole = SimulateWholePlan(plan, job, cluster, table);
        // A cell alone has its share of a link's rate, where its own bursts wait for each other. All cells
        // have one queue, where the bursts of one pass while others pause. That is 13 % here, where each
        // pair sends a window at a time; the rates are the same.
        EXPECT_NEAR(folded.iterationTime.ToSeconds(),
                    whole.iterationTime.ToSeconds(),
                    0.15 * whole.iterationTime.ToSeconds())
            << (sharing == WanSharing::Spatial ? "spatial" : "temporal");
        EXPECT_EQ(folded.wanPayload.Count(), whole.wanPayload.Count());
    }
}

TEST(PlanSimulation, PlansThatShareNodesRunWhole)
{
    TrainingPlan plan = OneStageEach(2, 8, "1f1b");
    plan.dataParallel = 9;
    EXPECT_EQ(AlikeCells(plan, Chain({8, 9}, 2)), 1u);
    plan.dataParallel = 8;
    plan.crossDc = CrossDc::ReplicasFlat;
    EXPECT_EQ(AlikeCells(plan, Chain({8, 9}, 2)), 1u);
}

TEST(PlanSimulation, AFasterGpuInOneDataCenterMakesItsStageFaster)
{
    const TrainingJob job = SmallJob(4, 8);
    TrainingPlan plan = OneStageEach(2, 8, "gpipe");
    Cluster cluster = Chain({1, 1}, 1);
    StageTables slow(job, cluster);
    const auto before = SimulatePlan(plan, job, cluster, slow.Of(2, 1, 1)).iterationTime;
    cluster.dataCenters[1].gpu = *FindGpu("H100");
    StageTables mixed(job, cluster);
    const StageTable& table = mixed.Of(2, 1, 1);
    EXPECT_LT(table.timing[1][1].forward, slow.Of(2, 1, 1).timing[1][1].forward);
    EXPECT_EQ(table.timing[0][0].forward, slow.Of(2, 1, 1).timing[0][0].forward);
    EXPECT_LT(SimulatePlan(plan, job, cluster, table).iterationTime, before);
}

} // namespace
} // namespace geotrain
