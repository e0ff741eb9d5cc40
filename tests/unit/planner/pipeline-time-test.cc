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

// Of the chain a - b - c, stages in b, c and a send activations of the first hop, and gradients of the
// second one, over the link from b to c, which takes two messages for each microbatch. Links of 4
// Gbit/s are the bottleneck then. Without sharing, the estimate was half the simulated time.
TEST(PipelineTime, HopsThatCrossTheSameLinkShareIt)
{
    const TrainingJob job = SmallJob(3, 40);
    Cluster cluster = Chain({1, 1, 1}, 1, Duration::Milliseconds(1));
    SetLinkRates(cluster, BitRate::GigabitsPerSecond(4));
    cluster.wan.caps.nodePair.reset();
    for (WanTopology::Link& link : cluster.wan.links)
    {
        link.queue.value = 8; // which the windows don't overrun
    }
    cluster.transport.connections = 4;
    cluster.transport.connection.window = Bytes::Of(500000);
    TrainingPlan plan;
    plan.pipelineStages = 3;
    plan.microbatches = 40;
    plan.warmupFactor = 4;
    plan.schedule = "1f1b";
    plan.hosts = {{1, 1}, {2, 1}, {0, 1}};
    const StageTable table = MakeStageTable(job, cluster, plan);
    const ClusterWays ways(cluster);
    const PreparedPlan prepared = PreparePlan(job, cluster, plan, {&table, &ways, nullptr});
    HopProbe probe(job, cluster, ways);
    const double seconds = PipelineTime(plan, prepared, cluster, ways, table, probe).ToSeconds();
    const double message = 8.0 * static_cast<double>(table.boundary.Count()) / 4e9;
    const double simulated = SimulatePlan(plan, job, cluster, table).iterationTime.ToSeconds();
    EXPECT_GE(seconds, 80 * message);
    EXPECT_NEAR(seconds / simulated, 1, 0.15);
}

} // namespace
} // namespace geotrain
