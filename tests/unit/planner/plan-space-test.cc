// SPDX-License-Identifier: GPL-2.0-only
// Tests which plans are legal, and why the others are not.
#include "planner-fixture.h"

#include "planner/plan-visit.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

namespace geotrain
{
namespace
{

struct Visited
{
    std::vector<TrainingPlan> plans;
    std::vector<PruneReason> reasons;

    const PruneReason* Reason(const std::string& part) const
    {
        for (const auto& reason : reasons)
        {
            if (reason.rule.find(part) != std::string::npos)
            {
                return &reason;
            }
        }
        return nullptr;
    }
};

Visited
VisitAll(const PlanSpace& space, const TrainingJob& job, const Cluster& cluster)
{
    Visited visited;
    StageTables tables(job, cluster);
    visited.reasons = VisitPlans(space,
                                 job,
                                 cluster,
                                 tables,
                                 [&visited](const TrainingPlan& plan, const auto&, const auto&)
                                 { visited.plans.push_back(plan); });
    return visited;
}

PlanSpace
OneOfEach()
{
    PlanSpace space;
    space.pipelineStages = {2};
    space.tensorParallel = {1};
    space.dataParallel = {2};
    space.microbatchSizes = {1};
    space.schedules = {"1f1b"};
    space.sharing = {WanSharing::Spatial};
    space.crossDc = {CrossDc::Pipeline};
    return space;
}

TEST(PlanSpace, ThreeDataCentersHaveAtLeastFiveHundredLegalPlans)
{
    const TrainingJob job = SmallJob(12, 64);
    const Cluster cluster = Chain({4, 4, 4}, 1);
    EXPECT_GE(VisitAll(DefaultPlanSpace(job, cluster), job, cluster).plans.size(), 500u);
}

TEST(PlanSpace, EveryPlanIsLegal)
{
    const TrainingJob job = SmallJob(12, 48);
    const Cluster cluster = Chain({3, 4, 2}, 4);
    for (const auto& plan : VisitAll(DefaultPlanSpace(job, cluster), job, cluster).plans)
    {
        EXPECT_EQ(plan.Sequences(), 48u);
        EXPECT_EQ(plan.dataParallel % plan.cellSize, 0u);
        std::uint32_t hosted = 0;
        std::set<std::uint32_t> dataCenters;
        for (const auto& host : plan.hosts)
        {
            const std::uint64_t groups =
                std::uint64_t{host.count} *
                (plan.HasReplicasAcross() ? plan.pipelineStages : plan.dataParallel);
            EXPECT_LE(groups, cluster.GroupsOf(host.dataCenter, plan.tensorParallel));
            EXPECT_TRUE(dataCenters.insert(host.dataCenter).second);
            hosted += host.count;
        }
        EXPECT_EQ(hosted, plan.HasReplicasAcross() ? plan.dataParallel : plan.pipelineStages);
    }
}

TEST(PlanSpace, NoPlanComesTwice)
{
    const TrainingJob job = SmallJob(12, 16);
    const Cluster cluster = Chain({3, 4, 2}, 2);
    std::set<std::string> seen;
    for (const auto& plan : VisitAll(DefaultPlanSpace(job, cluster), job, cluster).plans)
    {
        EXPECT_TRUE(seen.insert(Describe(plan, {"a", "b", "c"})).second)
            << Describe(plan, {"a", "b", "c"});
    }
}

TEST(PlanSpace, TooFewGpusSayHowManyAreMissing)
{
    const auto visited = VisitAll(OneOfEach(), SmallJob(4, 8), Chain({3}, 1));
    EXPECT_TRUE(visited.plans.empty());
    EXPECT_EQ(visited.Reason("more GPUs")->nearest,
              "PP 2 DP 2 TP 1, microbatch 1: needs 4 GPUs, 1 too many");
}

TEST(PlanSpace, StagesThatRemainSayHowManyGpusAreMissing)
{
    const auto visited = VisitAll(OneOfEach(), SmallJob(4, 8), Chain({3, 1}, 1));
    EXPECT_TRUE(visited.plans.empty());
    // Two replicas of a stage share a data centre: a has room for one stage, b for none.
    EXPECT_EQ(visited.Reason("no room")->nearest,
              "PP 2 DP 2 TP 1, microbatch 1: the data centres chosen have room for 1 of 2 stages, "
              "2 GPUs are "
              "missing");
}

TEST(PlanSpace, AStageThatDoesNotFitSaysWhichAndByHowMuch)
{
    const TrainingJob job =
        SmallJob(64, 8); // 12.9 billion parameters, 18 bytes each: 232 GB on two GPUs
    const Cluster cluster = Chain({4}, 1);
    const auto visited = VisitAll(OneOfEach(), job, cluster);
    EXPECT_TRUE(visited.plans.empty());
    StageTables tables(job, cluster);
    TrainingPlan two;
    two.pipelineStages = two.dataParallel = 2;
    const auto needed = MemoryByWorker(two, job, tables.Of({2, 1, 1}), {2, 1});
    char text[120];
    std::snprintf(text,
                  sizeof text,
                  "1f1b needs %.1f GB on stage 0, %.1f GB more than A100-80 has",
                  static_cast<double>(needed[0].Total().Count()) * 1e-9,
                  static_cast<double>(needed[0].Total().Count()) * 1e-9 - 80);
    EXPECT_EQ(visited.Reason("memory")->nearest,
              std::string("PP 2 DP 2 TP 1, microbatch 1: ") + text);
}

TEST(PlanSpace, ShardedOptimizerStateMakesAStageFit)
{
    TrainingJob job = SmallJob(32, 8);
    PlanSpace space = OneOfEach();
    space.pipelineStages = {1};
    space.dataParallel = {8};
    const Cluster cluster = Chain({8}, 1);
    EXPECT_TRUE(VisitAll(space, job, cluster).plans.empty());
    job.shardsOptimizer = true; // 18 -> 6 + 12/8 bytes per parameter
    EXPECT_EQ(VisitAll(space, job, cluster).plans.size(), 1u);
}

TEST(PlanSpace, AnEvenSplitNeedsTheMemoryOfTheGpuThatHostsTheStageAndABalancedOneFits)
{
    Cluster cluster = Chain({1, 1}, 1);
    cluster.dataCenters[0].gpu = *FindGpu("V100-16");
    PlanSpace space = OneOfEach();
    space.dataParallel = {1};
    // A stage of 8 layers: 1.6 billion parameters and an embedding, 32 GB. Fits A100-80 and no
    // V100-16.
    const auto visited = VisitAll(space, SmallJob(16, 4), cluster);
    EXPECT_NE(visited.Reason("memory")->nearest.find("V100-16"), std::string::npos);
    ASSERT_FALSE(visited.plans.empty());
    for (const auto& plan : visited.plans)
    {
        // A layer is 0.2 billion parameters of 18 bytes, 3.6 GB; the V100 has room for 4 at most.
        ASSERT_EQ(plan.layersPerStage.size(), 2u);
        const bool isV100First = plan.hosts.front().dataCenter == 0;
        EXPECT_LE(plan.layersPerStage[isV100First ? 0 : 1], 4u);
        EXPECT_EQ(plan.layersPerStage[0] + plan.layersPerStage[1], 16u);
    }
}

TEST(PlanSpace, ABatchThatCannotBeSharedOutIsPruned)
{
    PlanSpace space = OneOfEach();
    space.dataParallel = {3};
    EXPECT_EQ(VisitAll(space, SmallJob(4, 8), Chain({8}, 1)).Reason("global batch")->nearest,
              "PP 2 DP 3 TP 1, microbatch 1: 3 sequences don't divide 8");
}

TEST(PlanSpace, UnequalReplicasHaveNoHierarchicalAllReduce)
{
    PlanSpace space = OneOfEach();
    space.dataParallel = {4};
    space.crossDc = {CrossDc::ReplicasFlat, CrossDc::ReplicasHierarchical};
    // a: 3 replicas of 2 GPUs, b: 1. Even split: 3 and 1 too.
    const auto visited = VisitAll(space, SmallJob(4, 8), Chain({6, 2}, 1));
    ASSERT_EQ(visited.plans.size(), 1u);
    EXPECT_EQ(visited.plans[0].crossDc, CrossDc::ReplicasFlat);
    EXPECT_GT(visited.Reason("hierarchical")->count, 0u);
}

TEST(PlanSpace, CellsHoldPipelinesOnDifferentNodes)
{
    PlanSpace space = OneOfEach();
    space.sharing = {WanSharing::Temporal};
    space.dataParallel = {4};
    space.pipelineStages = {2};
    space.cellSizes = {2, 4};
    const auto visited = VisitAll(space, SmallJob(4, 8), Chain({2, 2}, 2));
    ASSERT_FALSE(visited.plans.empty());
    for (const auto& plan : visited.plans)
    {
        EXPECT_EQ(plan.cellSize, 2u); // two nodes hold two pipelines of a cell at most
    }
}

TEST(PlanSpace, AsynchronousSchedulesAreNotInTheDefault)
{
    const auto space = DefaultPlanSpace(SmallJob(4, 8), Chain({4}, 1));
    for (const auto& name : space.schedules)
    {
        EXPECT_FALSE(FindSchedule(name)->isAsynchronous) << name;
    }
}

TEST(PlanSpace, AShapeIsPrunedForTheReasonForWhichTheScheduleRefusesIt)
{
    PlanSpace space = OneOfEach();
    space.schedules = {"dualpipe-v"};
    const auto visited = VisitAll(space, SmallJob(4, 4), Chain({4}, 1));
    ScheduleShape shape; // m of 4 / 2 sequences
    shape.stages = shape.microbatches = shape.virtualStages = 2;
    const auto* reason = visited.Reason("no order of that shape");
    ASSERT_NE(reason, nullptr);
    EXPECT_EQ(reason->nearest,
              "PP 2 DP 2 TP 1, microbatch 1: dualpipe-v: " +
                  geotrain::RefusalOf(*FindSchedule("dualpipe-v"), shape));
}

TEST(PlanSpace, RefusesUnknownSchedulesAndZeros)
{
    const auto refusal = [](const PlanSpace& space)
    { return RefusalOf([&] { VisitAll(space, SmallJob(4, 8), Chain({4}, 1)); }); };
    PlanSpace space = OneOfEach();
    space.schedules = {"fastest"};
    EXPECT_EQ(refusal(space), "schedule fastest is not one that the planner compares");
    space = OneOfEach();
    space.dataParallel = {2, 0};
    EXPECT_EQ(refusal(space), "data_parallel must have at least one value, each at least 1");
}

} // namespace
} // namespace geotrain
