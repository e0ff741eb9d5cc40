// SPDX-License-Identifier: GPL-2.0-only
// Tests algorithm 1 of Atlas: the loop over the number of DP-cells.
#include "planner-fixture.h"

#include "planner/atlas-planner.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

using Hosts = std::vector<TrainingPlan::Host>;

TrainingPlan
Shape(std::uint32_t stages, std::uint32_t cellSize)
{
    TrainingPlan shape;
    shape.pipelineStages = stages;
    shape.cellSize = cellSize;
    shape.microbatches = 16;
    return shape;
}

TEST(AtlasPlanner, SimulatedTimesStandBesideTheEstimateForTheBestPointAndOthers)
{
    const TrainingJob job = SmallJob(4, 8);
    const Cluster cluster = Chain({4, 4}, 1);
    AtlasPlan plan = PlanCells(Shape(2, 1), job, cluster);
    SimulateCells(plan, job, cluster, {}, 2);
    ASSERT_TRUE(plan.best);
    EXPECT_GT(plan.curve[*plan.best].simulatedSeconds, 0);
    const auto isSimulated = [](const CellPoint& point) { return point.simulatedSeconds > 0; };
    EXPECT_EQ(std::count_if(plan.curve.begin(), plan.curve.end(), isSimulated), 2);
}

TEST(AtlasPlanner, APointThatASearchRankedHasItsSimulatedTime)
{
    const TrainingJob job = SmallJob(4, 8);
    const Cluster cluster = Chain({4, 4}, 1);
    AtlasPlan plan = PlanCells(Shape(2, 1), job, cluster);
    RankedPlan ranked;
    ranked.plan = plan.curve.front().plan;
    ranked.simulation.iterationTime = Duration::Seconds(123); // no plan of the curve takes as long
    SimulateCells(plan, job, cluster, {ranked});
    EXPECT_EQ(plan.curve[0].simulatedSeconds, ranked.simulation.iterationTime.ToSeconds());
    EXPECT_LT(plan.curve[1].simulatedSeconds, plan.curve[0].simulatedSeconds);
    EXPECT_GT(plan.curve[1].simulatedSeconds, 0);
}

TEST(AtlasPlanner, EachPointOfTheCurveFillsTheLargestFirst)
{
    const auto plan = PlanCells(Shape(4, 2), SmallJob(4, 64), Chain({6, 12, 4}, 1));
    // C = 2. One cell: floor(12 / 2) = 6 >= 4 stages in b. Two: floor(12 / 4) = 3 in b, 1 in a.
    EXPECT_EQ(plan.curve[0].plan.hosts, (Hosts{{1, 4}}));
    EXPECT_EQ(plan.curve[1].plan.hosts, (Hosts{{1, 3}, {0, 1}}));
    EXPECT_EQ(plan.curve[1].plan.dataParallel, 4u);
}

TEST(AtlasPlanner, AnInfeasiblePointSaysHowManyGpusAreMissing)
{
    const auto plan = PlanCells(Shape(4, 2), SmallJob(4, 64), Chain({6, 12, 4}, 1));
    // Three cells need 6 GPUs a stage: 2 in b, 1 in a, none in c (4): one stage remains.
    EXPECT_EQ(plan.curve[2].missing,
              "1 of 4 stages remain: 6 GPUs are missing, 6 per stage in one data centre");
    EXPECT_EQ(plan.curve.back().cells, 3u); // 22 GPUs / (4 x 2) = 2 cells, and the first beyond
}

TEST(AtlasPlanner, MissingMemoryNamesTheStage)
{
    const auto plan = PlanCells(Shape(1, 1), SmallJob(64, 64), Chain({4}, 1));
    EXPECT_FALSE(plan.best.has_value());
    EXPECT_EQ(plan.curve[0].missing.rfind("stage 0 needs ", 0), 0u) << plan.curve[0].missing;
}

TEST(AtlasPlanner, ThroughputIsAllPipelinesSequencesOverTheIteration)
{
    const auto plan = PlanCells(Shape(2, 1), SmallJob(4, 64), Chain({8}, 1));
    for (const auto& point : plan.curve)
    {
        if (point.missing.empty())
        {
            EXPECT_DOUBLE_EQ(point.sequencesPerSecond,
                             16.0 * point.cells / (point.pipelineSeconds + point.allReduceSeconds));
        }
    }
}

TEST(AtlasPlanner, TheBestPointHasTheHighestThroughput)
{
    const auto plan = PlanCells(Shape(4, 1), SmallJob(4, 64), Chain({16, 8}, 1));
    ASSERT_TRUE(plan.best.has_value());
    for (const auto& point : plan.curve)
    {
        EXPECT_LE(point.sequencesPerSecond, plan.curve[*plan.best].sequencesPerSecond);
    }
}

TEST(AtlasPlanner, ASmallDataCenterIsLeftOut)
{
    // Any stage on b keeps the job to at most 10 pipelines; a alone trains 250.
    const auto plan = PlanCells(Shape(4, 1), SmallJob(4, 64), Chain({1000, 10}, 1));
    ASSERT_TRUE(plan.best.has_value());
    EXPECT_EQ(plan.curve[*plan.best].cells, 250u);
    ASSERT_EQ(plan.leftOut.size(), 1u);
    EXPECT_EQ(plan.leftOut[0].dataCenter, 1u);
    EXPECT_GT(plan.leftOut[0].sequencesPerSecondWithIt, 0);
    EXPECT_LT(plan.leftOut[0].sequencesPerSecondWithIt, plan.curve[*plan.best].sequencesPerSecond);
}

TEST(AtlasPlanner, EqualDataCentersAreAllUsed)
{
    const auto plan =
        PlanCells(Shape(4, 4), SmallJob(4, 64), Chain({8, 8}, 1, Duration::Microseconds(1)));
    ASSERT_TRUE(plan.best.has_value());
    EXPECT_EQ(plan.curve[*plan.best].plan.hosts, (Hosts{{0, 2}, {1, 2}}));
    EXPECT_TRUE(plan.leftOut.empty());
}

TEST(AtlasPlanner, RefusesWhatCannotBe)
{
    const auto refuse = [](const Cluster& cluster, std::uint32_t stages)
    { return RefusalOf([&] { PlanCells(Shape(stages, 1), SmallJob(4, 64), cluster); }); };
    EXPECT_EQ(refuse(Chain({0, 0}, 8), 1),
              "there must be at least one GPU; the data centres have none");
    EXPECT_NE(refuse(Chain({4}, 8), 5).find("stages must be from 1 to the model's 4 layers"),
              std::string::npos);
    Cluster priced = Chain({4}, 8);
    priced.dataCenters[0].dollarsPerGpuHour = -1;
    EXPECT_EQ(refuse(priced, 1), "data centre a: a price must be >= 0");
    Cluster apart = Chain({4, 4}, 8);
    apart.wan.links.clear();
    EXPECT_EQ(refuse(apart, 1),
              "the WAN must connect all data centres; there is no path from a to b");
}

} // namespace
} // namespace geotrain
