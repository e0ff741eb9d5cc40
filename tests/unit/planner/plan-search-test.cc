// SPDX-License-Identifier: GPL-2.0-only
// Tests the search: screening, ranking, and the Pareto front of time against cost.
#include "planner-fixture.h"

#include "planner/plan-search.h"
#include "schedule/cap-ladder.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

Cluster
Priced(Cluster cluster)
{
    for (std::size_t index = 0; index < cluster.dataCenters.size(); ++index)
    {
        cluster.dataCenters[index].dollarsPerGpuHour = 1.0 + static_cast<double>(index);
        cluster.dataCenters[index].dollarsPerEgressGigabyte = 0.02;
    }
    return cluster;
}

/// Returns the default space with schedules whose orders take no search.
PlanSpace
QuickSpace(const TrainingJob& job, const Cluster& cluster)
{
    PlanSpace space = DefaultPlanSpace(job, cluster);
    space.schedules = {"gpipe", "1f1b", "interleaved", "varuna", "zb-h1"};
    return space;
}

/// Expects that the estimates of the best 20 plans are within a share of their simulated times.
void
ExpectBestTwentyWithin(double share, const PlanSearch& search)
{
    ASSERT_GE(search.ranked.size(), 20u);
    for (std::size_t rank = 0; rank < 20; ++rank)
    {
        const RankedPlan& plan = search.ranked[rank];
        EXPECT_NEAR(plan.estimate.seconds / plan.simulation.iterationTime.ToSeconds(), 1, share)
            << Describe(plan.plan, {"a", "b", "c"});
    }
}

TEST(PlanSearch, EstimatesOfTheBestTwentyAreWithin15PercentOfTheirSimulation)
{
    const TrainingJob job = SmallJob(12, 32);
    const Cluster cluster = Chain({4, 4, 4}, 1);
    PlanSpace space = QuickSpace(job, cluster);
    space.schedules = {"gpipe", "1f1b", "varuna", "zb-h1"};
    const auto search = SearchPlans(space, job, cluster);
    ExpectBestTwentyWithin(0.15, search);
}

// Windows of 64 MB open long after the first message on a way of 20 Gbit/s and 26 ms. What the first
// messages lose by that is partly hidden behind computations of the other stage: added as a constant,
// it made estimates up to 22 % too long.
TEST(PlanSearch, EstimatesHoldWhereWindowsTakeLongToOpen)
{
    TrainingJob job;
    job.model = MakeGpt("gpt", 24, 2048, 16, 32000, 1024, false);
    job.globalBatch = 16;
    Cluster cluster = Chain({1, 1, 1}, 1);
    cluster.dataCenters[0].gpu = *FindGpu("H100");
    cluster.dataCenters[2].gpu = *FindGpu("H200");
    cluster.wan.caps.nodePair.reset();
    cluster.wan.links[0].rate = BitRate::GigabitsPerSecond(40);
    cluster.wan.links[0].delay = Duration::Milliseconds(4);
    cluster.wan.links[1].rate = BitRate::GigabitsPerSecond(20);
    cluster.wan.links[1].delay = Duration::Milliseconds(9);
    cluster.transport.connections = 8;
    cluster.transport.connection.window = Bytes::Of(8000000);
    cluster.transport.connection.segment = Bytes::Of(1448);
    cluster.transport.connection.initialWindow = Bytes::Of(14480);
    PlanSpace space = DefaultPlanSpace(job, cluster);
    space.schedules = {"atlas", "cross-dc", "1f1b"};
    const auto search = SearchPlans(space, job, cluster);
    ExpectBestTwentyWithin(0.1, search);
}

TEST(PlanSearch, AGivenPlanRunsWhateverItsEstimate)
{
    const TrainingJob job = SmallJob(6, 16);
    const Cluster cluster = Chain({2, 2, 2}, 2);
    PlanSpace space = QuickSpace(job, cluster);
    TrainingPlan slow;
    slow.pipelineStages = 3;
    slow.microbatches = 16;
    slow.layersPerStage = {1, 4, 1}; // a split that no combination has
    slow.hosts = {{2, 1}, {0, 1}, {1, 1}};
    space.given = {slow};
    PlanSearchOptions few;
    few.simulated = 1;
    const auto search = SearchPlans(space, job, cluster, few);
    const auto isGiven = [&slow](const RankedPlan& ranked)
    { return ranked.plan.layersPerStage == slow.layersPerStage; };
    EXPECT_EQ(std::count_if(search.ranked.begin(), search.ranked.end(), isGiven), 1);
}

// The order that holds most isn't the fastest where activations queue on the WAN: cells of three
// take turns on caps of 5 Gbit/s, and 20 microbatches would fit. The memory cap that the search gives
// is the fastest of its own ladder.
TEST(PlanSearch, AScheduleThatFillsItsMemoryGetsTheFastestCap)
{
    const TrainingJob job = SmallJob(6, 48);
    const Cluster cluster = Chain({3, 3, 3}, 1);
    PlanSpace space = DefaultPlanSpace(job, cluster);
    space.schedules = {"atlas"};
    space.sharing = {WanSharing::Temporal};
    space.pipelineStages = {3};
    space.dataParallel = {3};
    const auto search = SearchPlans(space, job, cluster);
    const RankedPlan& best = search.ranked.front();
    StageTables tables(job, cluster);
    TrainingPlan plan = best.plan;
    double least = std::numeric_limits<double>::infinity();
    double ofLargest = 0;
    for (const std::uint32_t cap : CapLadder(plan.microbatches, 3))
    {
        plan.memoryCap = cap;
        const auto& table = tables.Of({3, 1, plan.microbatchSize});
        const double seconds = SimulatePlan(plan, {job, cluster, table}).iterationTime.ToSeconds();
        ofLargest = cap == plan.microbatches ? seconds : ofLargest;
        least = std::min(least, seconds);
    }
    EXPECT_EQ(best.simulation.iterationTime.ToSeconds(), least);
    EXPECT_LT(least, 0.99 * ofLargest);
}

TEST(PlanSearch, RunsTwentyPlansAndTheFrontsPoints)
{
    const TrainingJob job = SmallJob(12, 32);
    const Cluster cluster = Chain({4, 4}, 1);
    PlanSearchOptions options;
    const auto space = QuickSpace(job, cluster);
    const auto search = SearchPlans(space, job, cluster, options);
    EXPECT_GE(search.ranked.size(), 20u);
    // And the best of each of five schedules, two kinds of sharing and three of what crosses.
    EXPECT_LE(search.ranked.size(), 20u + options.frontPoints + 5 * 2 * 3);
}

TEST(PlanSearch, IsTheSameOnAnyNumberOfThreads)
{
    const TrainingJob job = SmallJob(6, 16);
    const Cluster cluster = Priced(Chain({2, 2, 2}, 2));
    PlanSearchOptions one;
    one.threads = 1;
    PlanSearchOptions three;
    three.threads = 3;
    const auto space = QuickSpace(job, cluster);
    const auto a = SearchPlans(space, job, cluster, one);
    const auto b = SearchPlans(space, job, cluster, three);
    ASSERT_EQ(a.ranked.size(), b.ranked.size());
    for (std::size_t rank = 0; rank < a.ranked.size(); ++rank)
    {
        EXPECT_EQ(a.ranked[rank].simulation.iterationTime, b.ranked[rank].simulation.iterationTime);
        EXPECT_EQ(Describe(a.ranked[rank].plan, {"a", "b", "c"}),
                  Describe(b.ranked[rank].plan, {"a", "b", "c"}));
    }
}

TEST(PlanSearch, AnInfeasibleSpaceSaysWhatIsMissing)
{
    const TrainingJob job = SmallJob(64, 8);
    const Cluster cluster = Chain({1}, 1);
    const std::string refusal =
        RefusalOf([&] { SearchPlans(QuickSpace(job, cluster), job, cluster); });
    EXPECT_EQ(refusal.rfind("no plan fits; ", 0), 0u) << refusal;
    EXPECT_NE(refusal.find("GB on stage 0"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("too many"), std::string::npos) << refusal;
}

TEST(PlanSearch, AFasterWanNeverMakesTheBestPlanSlower)
{
    const TrainingJob job = SmallJob(2, 4);
    Duration before = Duration::Seconds(1e6);
    for (const std::int64_t gigabits : {1, 4, 16})
    {
        Cluster cluster = Chain({2, 2}, 1);
        cluster.wan.caps.nodePair = BitRate::GigabitsPerSecond(gigabits);
        const auto search = SearchPlans(QuickSpace(job, cluster), job, cluster);
        EXPECT_LE(search.ranked.front().simulation.iterationTime, before) << gigabits;
        before = search.ranked.front().simulation.iterationTime;
    }
}

TEST(PlanSearch, ADataCenterTooFarAwayIsLeftOut)
{
    const TrainingJob job = SmallJob(4, 16);
    const Cluster cluster = Chain({4, 4}, 1, Duration::Seconds(5));
    const auto search = SearchPlans(QuickSpace(job, cluster), job, cluster);
    EXPECT_EQ(search.ranked.front().plan.hosts.size(), 1u);
}

} // namespace
} // namespace geotrain
