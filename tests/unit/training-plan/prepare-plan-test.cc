// SPDX-License-Identifier: GPL-2.0-only
// Tests the way from a plan to its workers, times, hops, order and memory.
#include "planner-fixture.h"

#include "training-plan/plan-streams.h"

#include <gtest/gtest.h>

#include <memory>

namespace geotrain
{
namespace
{

TrainingPlan
TwoStages(std::vector<TrainingPlan::Host> hosts)
{
    TrainingPlan plan;
    plan.pipelineStages = 2;
    plan.microbatches = 4;
    plan.hosts = std::move(hosts);
    return plan;
}

TEST(PreparePlan, PlacesHostsOnTheNodesOfTheirDataCentres)
{
    const Cluster cluster = Chain({2, 3}, 1);
    const auto prepared = PreparePlan(SmallJob(4, 4), cluster, TwoStages({{1, 1}, {0, 1}}));
    // Stage 0 in the second data centre, whose first node is node 2.
    EXPECT_EQ(prepared.placement.nodeOfWorker, (std::vector<NodeIndex>{2, 0}));
    EXPECT_EQ(prepared.placement.dataCenterOfStage, (std::vector<std::uint32_t>{1, 0}));
}

TEST(PreparePlan, AHopTakesItsMessageAtThePayloadRateAndTheDelay)
{
    Cluster cluster = Chain({1, 1}, 1);
    cluster.transport.payloadShare = 0.5;
    cluster.transport.connection.window = Bytes();
    const auto prepared = PreparePlan(SmallJob(4, 4), cluster, TwoStages({{0, 1}, {1, 1}}));
    ASSERT_EQ(prepared.hops.size(), 1u);
    EXPECT_EQ(prepared.hops[0].delay, Duration::Milliseconds(20));
    // 2,048 tokens of 4,096 numbers of 2 bytes at half of 5 Gbit/s.
    EXPECT_NEAR(prepared.hops[0].occupancy.ToSeconds(), 2048.0 * 4096 * 2 * 8 / 2.5e9, 1e-9);
}

TEST(PreparePlan, PipelinesShareTheWanLinkEvenlyAndItsHeadersToo)
{
    Cluster cluster = Chain({4, 4}, 1);
    cluster.transport.payloadShare = 0.5;
    cluster.transport.connection.window = Bytes();
    SetLinkRates(cluster, BitRate::GigabitsPerSecond(8));
    TrainingPlan plan = TwoStages({{0, 1}, {1, 1}});
    plan.dataParallel = 4;
    const auto prepared = PreparePlan(SmallJob(4, 16), cluster, plan);
    // A fourth of 8 Gbit/s, half of it payload.
    EXPECT_NEAR(prepared.hops[0].occupancy.ToSeconds(), 2048.0 * 4096 * 2 * 8 / 1e9, 1e-9);
}

TEST(PreparePlan, AHopInsideANodeTakesTheCopyOverNvlinkAlone)
{
    const Cluster cluster = Chain({1}, 2);
    const auto prepared = PreparePlan(SmallJob(4, 4), cluster, TwoStages({{0, 2}}));
    EXPECT_EQ(prepared.hops[0].delay, Duration());
    EXPECT_EQ(prepared.hops[0].occupancy,
              prepared.nodeLocalRate.TransmissionTime(prepared.boundary));
}

TEST(PreparePlan, ATurnOfAWaveIsNoMessage)
{
    const Cluster cluster = Chain({2}, 1);
    TrainingPlan plan = TwoStages({{0, 2}});
    plan.schedule = "zb-v";
    plan.virtualStages = 2;
    const auto prepared = PreparePlan(SmallJob(4, 4), cluster, plan);
    ASSERT_EQ(prepared.hops.size(), 3u); // 0 to 1, the turn, 1 to 0
    EXPECT_EQ(prepared.hops[1].Total(), Duration());
    EXPECT_GT(prepared.hops[0].Total(), Duration());
}

TEST(PreparePlan, TakesTheLayersThatThePlanGives)
{
    TrainingPlan plan = TwoStages({{0, 1}, {1, 1}});
    plan.layersPerStage = {1, 3};
    const auto prepared = PreparePlan(SmallJob(4, 4), Chain({1, 1}, 1), plan);
    EXPECT_EQ(prepared.shares[1].layers, 3u);
    EXPECT_GT(prepared.timing[1].forward, prepared.timing[0].forward * 2);
}

TEST(PreparePlan, TakesTheUsersOwnOrder)
{
    const Cluster cluster = Chain({1, 1}, 1);
    TrainingPlan plan = TwoStages({{0, 1}, {1, 1}});
    plan.schedule = "gpipe";
    const auto own = PreparePlan(SmallJob(4, 4), cluster, plan).order;
    plan.schedule = "custom";
    plan.customOrder = std::make_shared<const ScheduleOrder>(own);
    EXPECT_TRUE(PreparePlan(SmallJob(4, 4), cluster, plan).order.stages == own.stages);
}

TEST(PreparePlan, GivesTheSameWithTheCachesOfASearch)
{
    const Cluster cluster = Chain({1, 1}, 1);
    const TrainingJob job = SmallJob(4, 4);
    TrainingPlan plan = TwoStages({{0, 1}, {1, 1}});
    plan.schedule = "zb-h1";
    StageTables tables(job, cluster);
    const ClusterWays ways(cluster);
    OrderCache orders;
    const auto alone = PreparePlan(job, cluster, plan);
    const auto cached = PreparePlan(job, cluster, plan, {&tables.Of({2, 1, 1}), &ways, &orders});
    EXPECT_TRUE(alone.order.stages == cached.order.stages);
    EXPECT_EQ(alone.hops[0].Total(), cached.hops[0].Total());
    EXPECT_EQ(alone.memory[0].Total(), cached.memory[0].Total());
}

TEST(PreparePlan, RefusesWhatTheModelOrTheScheduleCanNotDo)
{
    const Cluster cluster = Chain({2, 2}, 1);
    TrainingPlan plan = TwoStages({{0, 1}, {1, 1}});
    plan.schedule = "no-such";
    EXPECT_NE(RefusalOf([&] { PreparePlan(SmallJob(4, 4), cluster, plan); }).find("no-such"),
              std::string::npos);
    plan.schedule = "1f1b";
    EXPECT_NE(RefusalOf([&] { PreparePlan(SmallJob(1, 4), cluster, plan); }), "");
}

TEST(PlanStreams, WarmThePairsOfBothDirectionsOnce)
{
    const Cluster cluster = Chain({1, 1}, 1);
    const TrainingJob job = SmallJob(4, 4);
    const TrainingPlan plan = TwoStages({{0, 1}, {1, 1}});
    const auto streams = MakePlanStreams({PreparePlan(job, cluster, plan), job, cluster, plan, 2});
    EXPECT_EQ(streams.pairs.size(), 2u); // activations there, gradients back
    EXPECT_EQ(streams.execution.iterations, 2u);
    EXPECT_FALSE(streams.Turns().has_value());
}

} // namespace
} // namespace geotrain
