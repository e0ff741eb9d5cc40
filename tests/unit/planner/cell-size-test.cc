// SPDX-License-Identifier: GPL-2.0-only
// The size of a DP-cell that a plan space leaves open: the ratio of a microbatch's WAN transfer to
// its forward pass, rounded up to a divisor of the replicas.
#include "planner-fixture.h"
#include "planner/cell-size.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// A table of two stages in two data centres: forwards of 100 and 50 ms, and a boundary that takes
/// `ratio` times 100 ms at the node pairs' payload rate.
StageTable
TableOf(double ratio, const ClusterWays& ways)
{
    StageTiming slow;
    slow.forward = Duration::Milliseconds(100);
    StageTiming fast;
    fast.forward = Duration::Milliseconds(50);
    StageTable table;
    table.timing = {{slow, fast}, {slow, fast}};
    const double bits = ratio * 0.1 * ways.Between(0, 1).PairRate();
    table.boundary = Bytes::Of(static_cast<std::int64_t>(bits / 8));
    return table;
}

TrainingPlan
PlanOf(std::uint32_t replicas)
{
    TrainingPlan plan;
    plan.pipelineStages = 2;
    plan.dataParallel = replicas;
    plan.hosts = {{0, 1}, {1, 1}};
    return plan;
}

TEST(CellSize, IsTheSmallestDivisorThatReachesTheRatio)
{
    const Cluster cluster = Chain({12, 12}, 1);
    const ClusterWays ways(cluster);
    const auto sizeAt = [&](double ratio)
    { return CellSizeOf(PlanOf(12), cluster, ways, TableOf(ratio, ways)); };
    EXPECT_EQ(sizeAt(0.1), 2u); // a cell of one pipeline takes no turns
    EXPECT_EQ(sizeAt(1.99), 2u);
    EXPECT_EQ(sizeAt(2.01), 3u);
    EXPECT_EQ(sizeAt(3.5), 4u);
    EXPECT_EQ(sizeAt(4.5), 6u); // 5 divides no 12
    EXPECT_EQ(sizeAt(7), 12u);
    EXPECT_EQ(sizeAt(100), 12u);
}

TEST(CellSize, HasNoMorePipelinesThanAStageHasNodes)
{
    const Cluster cluster = Chain({12, 5}, 4);
    const ClusterWays ways(cluster);
    EXPECT_EQ(DifferentNodes(PlanOf(12), cluster), 5u);
    EXPECT_EQ(DifferentNodes(PlanOf(3), cluster), 3u);
    EXPECT_EQ(CellSizeOf(PlanOf(12), cluster, ways, TableOf(100, ways)), 4u);
    EXPECT_EQ(CellSizeOf(PlanOf(7), cluster, ways, TableOf(100, ways)), 1u); // 7 is a prime
}

TEST(CellSize, CountsAllVirtualStagesOfAWorker)
{
    const Cluster cluster = Chain({12, 12}, 1);
    const ClusterWays ways(cluster);
    StageTable table = TableOf(6, ways);
    TrainingPlan plan = PlanOf(12);
    EXPECT_EQ(CellSizeOf(plan, cluster, ways, table), 6u);
    plan.virtualStages = 2; // workers compute 200 and 100 ms of the same transfer's 600
    for (auto& stages : table.timing)
    {
        stages.insert(stages.end(), {stages[0], stages[1]});
    }
    EXPECT_EQ(CellSizeOf(plan, cluster, ways, table), 3u);
}

} // namespace
} // namespace geotrain
