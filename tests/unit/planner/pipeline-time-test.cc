// SPDX-License-Identifier: GPL-2.0-only
// Checks the time of a plan's pipelines where these are unlike.
#include "planner-fixture.h"

#include "planner/pipeline-time.h"
#include "planner/plan-simulation.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Replicas of two stages in two data centres; the first one has faster GPUs.
struct UnlikeReplicas
{
    TrainingJob job = SmallJob(4, 8);
    Cluster cluster = Chain({2, 2}, 1);
    TrainingPlan plan;

    UnlikeReplicas()
    {
        cluster.dataCenters[0].gpu = *FindGpu("H100");
        cluster.dataCenters[1].gpu = *FindGpu("V100-32");
        plan.pipelineStages = 2;
        plan.dataParallel = 2;
        plan.microbatches = 4;
        plan.crossDc = CrossDc::ReplicasFlat;
        plan.hosts = {{0, 1}, {1, 1}};
    }

    double Seconds() const
    {
        const StageTable table = MakeStageTable(job, cluster, plan);
        const ClusterWays ways(cluster);
        const PreparedPlan prepared = PreparePlan(job, cluster, plan, {&table, &ways, nullptr});
        HopProbe probe(job, cluster, ways);
        return PipelineTime(plan, prepared, cluster, ways, table, probe).ToSeconds();
    }
};

TEST(PipelineTime, OfReplicasIsTheSlowest)
{
    const UnlikeReplicas both;
    UnlikeReplicas slow;
    slow.cluster.dataCenters[0].gpu = *FindGpu("V100-32");
    EXPECT_DOUBLE_EQ(both.Seconds(), slow.Seconds());
    UnlikeReplicas fast;
    fast.cluster.dataCenters[1].gpu = *FindGpu("H100");
    EXPECT_GT(both.Seconds(), 2 * fast.Seconds()); // 125 TFLOP/s beside 989
}

TEST(PipelineTime, OfReplicasHasTheWaysOfTheirOwnDataCenters)
{
    UnlikeReplicas one;
    one.cluster.dataCenters[1].gpu = *FindGpu("H100");
    const double before = one.Seconds();
    // An activation of 2,048 x 4,096 x 2 bytes takes 1.3 s at 0.1 Gbit/s.
    one.cluster.wan.sites[1].intraRate = BitRate::BitsPerSecond(100000000);
    EXPECT_GT(one.Seconds(), before + 2);
}

TEST(PipelineTime, OfReplicasOfSeveralGpuTypesInADataCenterIsTheSlowest)
{
    // The second data centre's first node is fast, and the replica of the other one sets the pace.
    UnlikeReplicas one;
    one.plan.pipelineStages = 1;
    one.plan.dataParallel = 3;
    one.plan.hosts = {{0, 1}, {1, 2}};
    const double slow = one.Seconds();
    one.cluster.dataCenters[1].gpu = *FindGpu("H100");
    one.cluster.dataCenters[1].otherGpus = {{1, *FindGpu("V100-32")}};
    EXPECT_DOUBLE_EQ(one.Seconds(), slow);
}

} // namespace
} // namespace geotrain
