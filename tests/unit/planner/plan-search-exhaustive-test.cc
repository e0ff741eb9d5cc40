// SPDX-License-Identifier: GPL-2.0-only
// Holds the search against a simulation of every plan of small spaces: the winner must be the same.
#include "planner-fixture.h"

#include "planner/plan-search.h"
#include "planner/plan-visit.h"

#include <gtest/gtest.h>

#include <random>

namespace geotrain
{
namespace
{

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
    shared.transport.connection.segment = Bytes::Of(1448);
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

/// Returns how many plans ran, those that are another's twins too.
std::uint64_t
PlansOf(const PlanSearch& search)
{
    std::uint64_t plans = search.ranked.size();
    for (const RankedPlan& plan : search.ranked)
    {
        plans += plan.twins.size();
    }
    return plans;
}

void
ExpectExhaustiveWinner(const SmallSpace& small, const PlanSpace& space)
{
    const auto screened = SearchPlans(space, small.job, small.cluster);
    PlanSearchOptions all;
    all.simulated = screened.legal;
    all.triedOperations = 0; // all run anyway
    const auto exhaustive = SearchPlans(space, small.job, small.cluster, all);
    ASSERT_EQ(PlansOf(exhaustive), exhaustive.legal);
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
    small.cluster.transport.connection.segment = Bytes::Of(1448);
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

/// Returns the number of legal plans.
std::uint64_t
LegalPlans(const PlanSpace& space, const SmallSpace& small)
{
    std::uint64_t legal = 0;
    StageTables tables(small.job, small.cluster);
    VisitPlans(space, small.job, small.cluster, tables, [&legal](const auto&...) { ++legal; });
    return legal;
}

/// The least time of all legal plans of the default space against that of the search's plan.
TEST(PlanSearch, ThePlanOfTenRandomClustersIsWithinAPercentOfAllThatThereAre)
{
    std::mt19937 engine(20); // the same on every machine
    int clusters = 0;
    while (clusters < 10)
    {
        SmallSpace small = RandomSmallSpace(engine);
        small.job = SmallJob(2 + static_cast<std::uint32_t>(engine() % 3), 4);
        const PlanSpace space = DefaultPlanSpace(small.job, small.cluster);
        PlanSearchOptions all;
        all.triedOperations = 0; // all run anyway
        const std::uint64_t legal = LegalPlans(space, small);
        if (legal < 60 || legal > 300) // of fewer, most run anyway; more take too long
        {
            continue;
        }
        ++clusters;
        all.simulated = legal;
        const auto searched = SearchPlans(space, small.job, small.cluster);
        const auto exhaustive = SearchPlans(space, small.job, small.cluster, all);
        ASSERT_EQ(PlansOf(exhaustive), exhaustive.legal);
        const RankedPlan& best = exhaustive.ranked.front();
        const RankedPlan& found = searched.ranked.front();
        EXPECT_LE(found.simulation.iterationTime.ToSeconds(),
                  1.01 * best.simulation.iterationTime.ToSeconds())
            << exhaustive.legal << " legal, " << searched.ranked.size() << " ran; "
            << Describe(best.plan, {"a", "b", "c"}) << " against "
            << Describe(found.plan, {"a", "b", "c"});
    }
}

} // namespace
} // namespace geotrain
