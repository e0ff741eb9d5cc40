// SPDX-License-Identifier: GPL-2.0-only
// Tests the inner loop of Atlas's algorithm 1, and the orders and splits that a search tries.
#include "planner-fixture.h"

#include "planner/stage-hosts.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Hosts = std::vector<TrainingPlan::Host>;

TEST(StageHosts, CapacityIsGpusOverWidthTimesReplicasRoundedDown)
{
    const Cluster cluster = Chain({5}, 8);
    // floor(40 / (TP x cells x C)): TP 4, 3 replicas: floor(40 / 12) = 3.
    EXPECT_EQ(StageCapacity(cluster, 0, 4, 3), 3u);
    EXPECT_EQ(StageCapacity(cluster, 0, 8, 6), 0u);
    // A group of 3 stays in a node of 8: two fit into each.
    EXPECT_EQ(StageCapacity(cluster, 0, 3, 1), 10u);
}

TEST(StageHosts, DataCentersAreSortedByGpusDescending)
{
    EXPECT_EQ(ByGpusDescending(Chain({2, 0, 5, 2}, 8)), (std::vector<std::uint32_t>{2, 0, 3}));
}

TEST(StageHosts, EachHostsTheStagesLeftOrWhatFits)
{
    EXPECT_EQ(FillInOrder({1, 0, 2}, {3, 4, 9}, 10), (Hosts{{1, 4}, {0, 3}, {2, 3}}));
    EXPECT_EQ(FillInOrder({1, 0, 2}, {3, 4, 9}, 4), (Hosts{{1, 4}}));
}

TEST(StageHosts, StagesThatRemainMakeAFillInfeasible)
{
    std::uint32_t hosted = 0;
    for (const auto& host : FillInOrder({0, 1}, {3, 4}, 8))
    {
        hosted += host.count;
    }
    EXPECT_EQ(hosted, 7u);
}

TEST(StageHosts, AnEvenSplitKeepsToCapacities)
{
    EXPECT_EQ(SpreadEvenly({0, 1, 2}, {1, 9, 9}, 9), (Hosts{{0, 1}, {1, 4}, {2, 4}}));
    EXPECT_TRUE(SpreadEvenly({0, 1}, {1, 1}, 3).empty());
    EXPECT_TRUE(SpreadEvenly({0, 1}, {9, 9}, 1).empty());
}

TEST(StageHosts, FewDataCentersAreTriedInEveryOrder)
{
    // Ordered choices of 3: 3 + 6 + 6.
    EXPECT_EQ(OrdersToTry(Chain({1, 2, 3}, 8)).size(), 15u);
}

TEST(StageHosts, ManyDataCentersAreTriedByGpusAndAlongTheNearest)
{
    // In the chain a b c d e the largest is b; a and c are as near (a comes first), then c, d, e.
    const auto orders = OrdersToTry(Chain({1, 9, 1, 2, 3}, 8));
    EXPECT_EQ(orders.back(), (std::vector<std::uint32_t>{1, 0, 2, 3, 4}));
}

} // namespace
} // namespace geotrain
