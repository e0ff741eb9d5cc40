// SPDX-License-Identifier: GPL-2.0-only
// Checks the measured all-reduce over the WAN against whole simulations of plans.
#include "planner-fixture.h"

#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"
#include "planner/ring-probe.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// Replicas in two data centres, 40 ms of round trip apart, with one node each. A node pair holds
/// 5 Gbit/s x 40 ms = 25 MB, and so does its queue.
struct TwoReplicas
{
    TrainingJob job = SmallJob(4, 8);
    Cluster cluster = Chain({1, 1}, 4);
    TrainingPlan plan;

    TwoReplicas()
    {
        plan.dataParallel = 2;
        plan.microbatches = 4;
        plan.crossDc = CrossDc::ReplicasFlat;
        plan.hosts = {{0, 1}, {1, 1}};
    }

    StageTable Table() const
    {
        return MakeStageTable(job, cluster, plan);
    }

    std::vector<double> Rings() const
    {
        const ClusterWays ways(cluster);
        return RingProbe(job, cluster, ways).SecondsOf(plan, Table());
    }

    double Estimated(const std::vector<double>& rings) const
    {
        const StageTable table = Table();
        return EstimatePlan(
                   plan, job, cluster, ClusterWays(cluster), table, InFlightOf(plan), rings)
            .seconds;
    }

    double Simulated() const
    {
        return SimulatePlan(plan, job, cluster, Table()).iterationTime.ToSeconds();
    }
};

/// Does the same with one layer, whose gradients with those of its embeddings have 10^8 bytes.
TwoReplicas
TwoSmallReplicas()
{
    TwoReplicas one;
    one.job.model = MakeGpt("gpt", 1, 1024, 8, 8192, 2048, false);
    return one;
}

TEST(RingProbe, PiecesWaitForTheConnectionThatLostMost)
{
    // 20 windows hold four times what the pair does, twice what its queue and the way take together.
    TwoReplicas one;
    one.cluster.transport.connection.window = Bytes::Of(5000000);
    const double simulated = one.Simulated();
    ASSERT_LT(one.Estimated({}), 0.8 * simulated); // the formula knows of no loss
    // the claim of the search's estimates (README, "The search")
    EXPECT_NEAR(one.Estimated(one.Rings()), simulated, 0.15 * simulated);
}

TEST(RingProbe, LinksLosePackets)
{
    auto one = TwoSmallReplicas();
    one.cluster.wan.links.front().lossRate = 1e-4;
    const double simulated = one.Simulated();
    ASSERT_LT(one.Estimated({}), 0.75 * simulated);
    EXPECT_NEAR(one.Estimated(one.Rings()), simulated, 0.15 * simulated);
}

TEST(RingProbe, ALongRingIsMeasuredInPart)
{
    // The ring of two sends all gradients once, at 0.1 Gbit/s, and 2 s of it are measured. The window
    // is 0.1 Gbit/s x 4 ms.
    auto one = TwoSmallReplicas();
    one.cluster.wan.links.front().delay = Duration::Milliseconds(2);
    one.cluster.wan.caps.nodePair = BitRate::BitsPerSecond(100000000);
    one.cluster.transport.connections = 1;
    one.cluster.transport.connection.window = Bytes::Of(50000);
    const double simulated = one.Simulated();
    ASSERT_GT(simulated, 5);
    // the ramp-up is within ten round trips of the 500 that are measured
    EXPECT_NEAR(one.Estimated(one.Rings()), simulated, 0.02 * simulated);
}

TEST(RingProbe, RingsOfAllStagesShareANode)
{
    TwoReplicas one;
    one.plan.pipelineStages = 4;
    ASSERT_EQ(one.Rings().size(), 4U);
    EXPECT_NEAR(one.Estimated(one.Rings()), one.Simulated(), 0.05 * one.Simulated());
}

TEST(RingProbe, TiedEmbeddingsAreMeasuredToo)
{
    // Stages of a data centre are on two nodes, 1 Gbit/s apart: embeddings of 0.2 billion parameters
    // take seconds.
    TwoReplicas one;
    one.job.model = MakeGpt("gpt", 4, 4096, 32, 50304, 2048, true);
    one.cluster = Chain({2, 2}, 4);
    for (auto& site : one.cluster.wan.sites)
    {
        site.intraRate = BitRate::GigabitsPerSecond(1);
    }
    one.plan.pipelineStages = 2;
    const double simulated = one.Simulated();
    ASSERT_GT(one.Table().tiedEmbeddingGradients, Bytes::Of(100000000));
    EXPECT_NEAR(one.Estimated(one.Rings()), simulated, 0.05 * simulated);
}

} // namespace
} // namespace geotrain
