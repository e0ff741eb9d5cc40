// SPDX-License-Identifier: GPL-2.0-only
// Tests the search: screening, ranking, and the Pareto front of time against cost.
#include "planner-fixture.h"

#include "planner/plan-search.h"

#include <gtest/gtest.h>

#include <random>

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

/// Depths whose orders are searched and run within seconds.
const std::vector<std::uint32_t> quickDepths = {1, 2, 3};

struct SmallSpace
{
    TrainingJob job;
    Cluster cluster;
    std::vector<std::string> schedules;
};

std::vector<SmallSpace>
SmallSpaces()
{
    Cluster shared = Chain({2, 2}, 2, Duration::Milliseconds(5));
    SetLinkRates(shared, BitRate::GigabitsPerSecond(2));
    Cluster mixed = Chain({2, 4}, 1);
    mixed.dataCenters[1].gpu = *FindGpu("H100");
    Cluster window = Chain({2, 2, 2}, 1, Duration::Milliseconds(10));
    window.transport.connections = 1;
    return {{SmallJob(4, 8), Chain({2, 2, 2}, 1), {"1f1b", "gpipe", "varuna", "atlas"}},
            {SmallJob(4, 16), Chain({4, 2}, 2), {"1f1b", "interleaved", "zb-h1", "zb-h2"}},
            {SmallJob(8, 16), shared, {"gpipe", "zb-v", "dualpipe-v"}},
            {SmallJob(4, 8), mixed, {"gpipe", "zb-1p"}},
            {SmallJob(6, 8), window, {"gpipe", "cross-dc"}}};
}

void
ExpectExhaustiveWinner(const SmallSpace& small, const PlanSpace& space)
{
    const auto screened = SearchPlans(space, small.job, small.cluster);
    PlanSearchOptions all;
    all.simulated = screened.legal;
    all.timedOperations = 0; // all run anyway
    const auto exhaustive = SearchPlans(space, small.job, small.cluster, all);
    ASSERT_EQ(exhaustive.ranked.size(), exhaustive.legal);
    EXPECT_EQ(screened.ranked.front().simulation.iterationTime.ToNanoseconds(),
              exhaustive.ranked.front().simulation.iterationTime.ToNanoseconds())
        << exhaustive.legal << " legal; "
        << Describe(exhaustive.ranked.front().plan, {"a", "b", "c"}) << " against "
        << Describe(screened.ranked.front().plan, {"a", "b", "c"});
}

TEST(PlanSearch, TheWinnerOfASmallSpaceIsThatOfExhaustiveSearch)
{
    for (const SmallSpace& small : SmallSpaces())
    {
        PlanSpace space = DefaultPlanSpace(small.job, small.cluster);
        space.pipelineStages = quickDepths;
        space.microbatchSizes = {2};
        space.dataParallel = {2, 4};
        space.schedules = small.schedules;
        ExpectExhaustiveWinner(small, space);
    }
}

TEST(PlanSearch, TheWinnerOfAllSynchronousSchedulesIsThatOfExhaustiveSearch)
{
    const auto spaces = SmallSpaces();
    for (const std::size_t index : {0u, 3u}) // of three data centres, and of two GPU types
    {
        const SmallSpace& small = spaces[index];
        PlanSpace space = DefaultPlanSpace(small.job, small.cluster);
        space.pipelineStages = quickDepths;
        space.microbatchSizes = {2};
        space.dataParallel = {2};
        space.warmupFactors = {1};
        ExpectExhaustiveWinner(small, space);
    }
}

/// Draws one to three data centres of one to three nodes, any distance, rates and windows that bind
/// or don't, one or two GPU types, and two of the schedules.
SmallSpace
RandomSmallSpace(std::mt19937& engine)
{
    const auto draw = [&engine](std::uint32_t low, std::uint32_t high)
    { return low + static_cast<std::uint32_t>(engine() % (high - low + 1)); };
    const std::uint32_t count = draw(1, 3);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t index = 0; index < count; ++index)
    {
        nodes.push_back(draw(1, 3));
    }
    const std::uint32_t gpusPerNode = draw(1, 2);
    SmallSpace small;
    small.cluster = Chain(nodes, gpusPerNode, Duration::Milliseconds(draw(1, 40)));
    SetLinkRates(small.cluster, BitRate::GigabitsPerSecond(draw(1, 20)));
    small.cluster.transport.connections = draw(1, 20);
    if (draw(0, 1) == 1)
    {
        small.cluster.dataCenters.back().gpu = *FindGpu("H100");
    }
    const std::uint32_t layers = draw(2, 8);
    small.job = SmallJob(layers, 8u << draw(0, 1));
    const std::vector<std::string> quick{
        "gpipe", "1f1b", "interleaved", "varuna", "atlas", "zb-h1", "zb-h2", "zb-v", "dualpipe-v"};
    const std::uint32_t first = draw(0, 8);
    small.schedules = {quick[first], quick[(first + draw(1, 8)) % 9]};
    return small;
}

TEST(PlanSearch, TheWinnerOfRandomSmallSpacesIsThatOfExhaustiveSearch)
{
    std::mt19937 engine(7); // the same on every machine
    int screened = 0;       // spaces in which some plan doesn't run
    for (int trial = 0; trial < 32; ++trial)
    {
        const SmallSpace small = RandomSmallSpace(engine);
        PlanSpace space = DefaultPlanSpace(small.job, small.cluster);
        space.schedules = small.schedules;
        std::uint64_t legal = 0;
        try
        {
            legal = SearchPlans(space, small.job, small.cluster).legal;
        }
        catch (const std::invalid_argument&)
        {
            continue; // nothing fits
        }
        if (legal > 28 && legal <= 80) // more would take too long, and fewer all run
        {
            ++screened;
            ExpectExhaustiveWinner(small, space);
        }
    }
    EXPECT_GE(screened, 8);
}

/// Returns the default space with schedules whose orders take no search.
PlanSpace
QuickSpace(const TrainingJob& job, const Cluster& cluster)
{
    PlanSpace space = DefaultPlanSpace(job, cluster);
    space.schedules = {"gpipe", "1f1b", "interleaved", "varuna", "zb-h1"};
    return space;
}

TEST(PlanSearch, EstimatesOfTheBestTwentyAreWithin15PercentOfTheirSimulation)
{
    const TrainingJob job = SmallJob(12, 32);
    const Cluster cluster = Chain({4, 4, 4}, 1);
    PlanSpace space = QuickSpace(job, cluster);
    space.schedules = {"gpipe", "1f1b", "varuna", "zb-h1"};
    const auto search = SearchPlans(space, job, cluster);
    ASSERT_GE(search.ranked.size(), 20u);
    for (std::size_t rank = 0; rank < 20; ++rank)
    {
        const RankedPlan& plan = search.ranked[rank];
        EXPECT_NEAR(plan.estimate.seconds / plan.simulation.iterationTime.ToSeconds(), 1, 0.15)
            << Describe(plan.plan, {"a", "b", "c"});
    }
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

TEST(PlanSearch, NoSimulatedPlanDominatesAPointOfTheFront)
{
    const TrainingJob job = SmallJob(6, 16);
    const Cluster cluster = Priced(Chain({2, 2, 2}, 2));
    const auto search = SearchPlans(QuickSpace(job, cluster), job, cluster);
    ASSERT_GE(search.front.size(), 2u);
    for (const auto& point : search.front)
    {
        for (const auto& other : search.ranked)
        {
            EXPECT_FALSE(other.simulation.iterationTime < point.simulation.iterationTime &&
                         other.cost.dollars < point.cost.dollars);
        }
    }
    for (std::size_t index = 1; index < search.front.size(); ++index)
    {
        EXPECT_GE(search.front[index].simulation.iterationTime,
                  search.front[index - 1].simulation.iterationTime);
        EXPECT_LT(search.front[index].cost.dollars, search.front[index - 1].cost.dollars);
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
    const TrainingJob job = SmallJob(6, 16);
    Duration before = Duration::Seconds(1e6);
    for (const std::int64_t gigabits : {1, 2, 4, 8, 16})
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
