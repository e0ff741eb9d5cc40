// SPDX-License-Identifier: GPL-2.0-only
// Checks the cheap estimate against closed forms, and the simulations against each other.
#include "planner-fixture.h"

#include "planner/plan-estimate.h"
#include "planner/plan-simulation.h"
#include "schedule/order-simulation.h"
#include "training-plan/hop-times.h"
#include "training-plan/prepare-plan.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

TrainingPlan
OneStageEach(std::uint32_t stages, std::uint32_t microbatches, const std::string& schedule)
{
    TrainingPlan plan;
    plan.pipelineStages = stages;
    plan.microbatches = microbatches;
    plan.schedule = schedule;
    for (std::uint32_t stage = 0; stage < stages; ++stage)
    {
        plan.hosts.push_back({stage, 1});
    }
    return plan;
}

/// Makes stages that all take 10 ms forward and 20 ms backward, without update.
StageTimer
EqualStages()
{
    return [](const StageShare&, const GpuSpec&, const StageExecution&)
    {
        return StageTiming{Duration::Milliseconds(10),
                           Duration(),
                           Duration::Milliseconds(10),
                           Duration::Milliseconds(10),
                           Duration()};
    };
}

struct EqualStagesCase
{
    TrainingJob job = SmallJob(4, 8);
    Cluster cluster;
    double hop = 0; ///< transmission and delay, s
    TrainingPlan plan;

    EqualStagesCase(std::uint32_t stages, std::uint32_t microbatches, const std::string& schedule)
        : cluster(Chain(std::vector<std::uint32_t>(stages, 1), 1, Duration::Milliseconds(40))),
          plan(OneStageEach(stages, microbatches, schedule))
    {
        job.timeStage = EqualStages();
        // At 100 Gbit/s transmission never limits: 16.8 MB take 1.3 ms.
        cluster.wan.caps.nodePair.reset();
        cluster.transport.connection.window = Bytes();
        hop = 0.040 + 2048.0 * 4096 * 2 * 8 / 100e9;
    }

    PlanEstimate Estimate() const
    {
        StageTables tables(job, cluster);
        return EstimatePlan(plan,
                            {job, cluster, tables.Of({plan.pipelineStages, 1, 1})},
                            ClusterWays(cluster),
                            InFlightOf(plan));
    }

    double Simulated() const
    {
        StageTables tables(job, cluster);
        return SimulatePlan(plan, {job, cluster, tables.Of({plan.pipelineStages, 1, 1})})
            .iterationTime.ToSeconds();
    }
};

TEST(PlanEstimate, GPipeIsTheClosedForm)
{
    const EqualStagesCase one(4, 12, "gpipe");
    // (m + p - 1)(F + B) + 2c(p - 1)
    const double expected = (12 + 3) * 0.030 + 2 * one.hop * 3;
    EXPECT_NEAR(one.Estimate().pipelineSeconds, expected, 1e-9);
    EXPECT_NEAR(one.Simulated(), expected, 1e-6); // nanosecond rounding of events
}

TEST(PlanEstimate, OneForwardOneBackwardIsTheClosedFormToTwoHopsOverStages)
{
    const EqualStagesCase one(4, 12, "1f1b");
    // (m + p - 1)(F + B) + 2c[(p - 1)m/p + (p - 2)], p | m
    const double expected = (12 + 3) * 0.030 + 2 * one.hop * (3.0 * 12 / 4 + 2);
    EXPECT_NEAR(one.Estimate().pipelineSeconds, expected, 2 * one.hop / 4 + 1e-9);
    EXPECT_NEAR(one.Simulated(), expected, 1e-6);
}

TEST(PlanEstimate, OneStageTakesItsWork)
{
    const EqualStagesCase one(1, 7, "1f1b");
    EXPECT_NEAR(one.Estimate().seconds, 7 * 0.030, 1e-9);
}

TEST(PlanEstimate, TheWanSetsThePaceWhereMessagesTakeLongerThanWork)
{
    EqualStagesCase one(2, 64, "gpipe");
    one.cluster.wan.caps.nodePair = BitRate::BitsPerSecond(1000000000);
    // S = 16.8 MB at 1 Gbit/s: o = 134 ms > F, B. Forward and backward each take m o, give or take
    // a message.
    const double o = 2048.0 * 4096 * 2 * 8 / 1e9;
    EXPECT_NEAR(one.Estimate().pipelineSeconds, 2 * 64 * o, 2 * o);
    EXPECT_NEAR(one.Simulated(), one.Estimate().seconds, 0.02 * one.Simulated()); // 1 message of 64
}

TEST(PlanEstimate, StagesThatShareNodesShareTheirNicsForTheAllReduce)
{
    // Two data centres of 2 nodes with 4 GPUs: 4 stages of 2 replicas each, so that each node has
    // one member of each of 4 rings.
    EqualStagesCase one(2, 8, "1f1b");
    one.job = SmallJob(8, 16);
    one.job.timeStage = EqualStages();
    one.cluster.dataCenters[0].gpusPerNode = 4;
    one.cluster.dataCenters[1].gpusPerNode = 4;
    one.cluster.wan.sites[0].nodes = 2;
    one.cluster.wan.sites[1].nodes = 2;
    one.plan.pipelineStages = 8;
    one.plan.dataParallel = 2;
    one.plan.placement = NodePlacement::Spread;
    one.plan.hosts = {{0, 4}, {1, 4}};
    StageTables tables(one.job, one.cluster);
    const double bits = 8.0 * static_cast<double>(tables.Of({8, 1, 1}).gradients[1].Count());
    // A ring of 2 has 2 steps of half the gradients at 100 Gbit/s, and all 4 rings leave each NIC
    // once. That starts when the last of the 4 stages is done, 3 backwards before the first;
    // embeddings make the first stage's ring longer. A replica's stages are on one node, where
    // messages take NVLink and no time to speak of.
    const double first = 8.0 * static_cast<double>(tables.Of({8, 1, 1}).gradients[0].Count());
    const double ahead = 3 * 0.020;
    const double expected = (3 * bits + first) / 100e9 - ahead;
    ASSERT_GT(expected, first / 100e9); // the first stage's ring waits for the others
    EXPECT_NEAR(one.Estimate().allReduceSeconds, expected, 1e-3); // 8 delays of 10 us, and NVLink
    // Without the one long hop, of which Little's law over equal hops knows too little.
    one.cluster.wan.links[0].delay = Duration::Milliseconds(4);
    EXPECT_NEAR(one.Simulated(), one.Estimate().seconds, 0.05 * one.Simulated());
}

// Two nodes of 8 GPUs have a stage each, of 8 replicas or of 6, whose gradients are reduced by NVLink in
// no time to speak of. The activations of all replicas share the NICs: 8 of 16.8 MB take 107 ms at
// 10 Gbit/s, which sets the pace. Spread replicas have it the other way round.
TEST(PlanEstimate, PackedReplicasReduceInsideNodesAndSendActivationsOverTheirNics)
{
    for (const std::uint32_t replicas : {8u, 6u})
    {
        EqualStagesCase one(1, 16, "gpipe");
        one.job = SmallJob(4, 16 * replicas);
        one.job.timeStage = EqualStages();
        one.cluster.dataCenters[0].gpusPerNode = 8;
        one.cluster.wan.sites[0].nodes = 2;
        one.cluster.wan.sites[0].nicRate = BitRate::GigabitsPerSecond(10);
        one.cluster.wan.sites[0].intraRate = BitRate::GigabitsPerSecond(10);
        one.plan.pipelineStages = 2;
        one.plan.dataParallel = replicas;
        one.plan.hosts = {{0, 2}};
        const double messages = replicas * 2048.0 * 4096 * 2 * 8 / 10e9;
        EXPECT_NEAR(one.Estimate().pipelineSeconds, 2 * 16 * messages, 3 * messages);
        EXPECT_LT(one.Estimate().allReduceSeconds, 0.03);
        EXPECT_NEAR(one.Simulated(), one.Estimate().seconds, 0.05 * one.Simulated());
        one.plan.placement = NodePlacement::Spread;
        EXPECT_LT(one.Estimate().pipelineSeconds, 0.6);
        EXPECT_NEAR(one.Simulated(), one.Estimate().seconds, 0.05 * one.Simulated());
    }
}

TEST(PlanEstimate, AWorkerInTheMiddleSendsToBothNeighboursOverItsNic)
{
    // Three stages on three nodes of a data centre, 100 Mbit/s: 16.8 MB take 1.34 s each.
    EqualStagesCase one(1, 64, "1f1b");
    one.cluster.wan.sites[0].nodes = 3;
    one.cluster.wan.sites[0].nicRate = BitRate::BitsPerSecond(100000000);
    one.plan.pipelineStages = 3;
    one.plan.hosts = {{0, 3}};
    one.plan.warmupFactor = 4;
    const double message = 2048.0 * 4096 * 2 * 8 / 100e6;
    EXPECT_NEAR(one.Estimate().pipelineSeconds, 2 * 64 * message, 6 * message);
    EXPECT_NEAR(one.Simulated(), one.Estimate().seconds, 0.05 * one.Simulated());
}

/// Replicas in two data centres, with two stages each, whose rings share node pairs of 5 Gbit/s.
EqualStagesCase
ReplicasAcross(CrossDc crossDc)
{
    EqualStagesCase one(2, 4, "1f1b");
    one.job.timeStage = EqualStages();
    for (std::size_t index = 0; index < 2; ++index)
    {
        one.cluster.wan.sites[index].nodes = 2;
        one.cluster.dataCenters[index].gpusPerNode = 2;
    }
    one.cluster.wan.caps.nodePair = BitRate::GigabitsPerSecond(5);
    one.cluster.transport.connection.window = Bytes::Of(1250000);
    one.plan.dataParallel = 4;
    one.plan.placement = NodePlacement::Spread;
    one.plan.crossDc = crossDc;
    one.plan.hosts = {{0, 2}, {1, 2}};
    return one;
}

TEST(PlanEstimate, RingsOfAllStagesInsideADataCenterShareItsNics)
{
    // The NICs, and not the WAN, set the pace: each step of the 2 rings of 2 members takes a node's
    // NIC of 1 Gbit/s once for each ring.
    EqualStagesCase one = ReplicasAcross(CrossDc::ReplicasHierarchical);
    one.cluster.wan.caps.nodePair.reset();
    one.cluster.wan.sites[0].nicRate = BitRate::GigabitsPerSecond(1);
    one.cluster.wan.sites[1].nicRate = BitRate::GigabitsPerSecond(1);
    one.cluster.wan.links[0].delay = Duration::Milliseconds(1);
    EXPECT_NEAR(one.Estimate().seconds, one.Simulated(), 0.15 * one.Simulated());
}

/// Returns stages on one slow node in each of two data centres, the first and the last of which have
/// embeddings too. Windows hold four times what the way does, so that it is always full.
EqualStagesCase
UnlikeStagesOnSlowNodes(CrossDc crossDc)
{
    EqualStagesCase one(2, 4, "1f1b");
    one.job = SmallJob(4, 8);
    one.job.timeStage = EqualStages();
    one.cluster = Chain({1, 1}, 4, Duration::Milliseconds(20));
    for (auto& site : one.cluster.wan.sites)
    {
        site.nicRate = BitRate::GigabitsPerSecond(2);
    }
    one.plan.pipelineStages = 4;
    one.plan.dataParallel = 2;
    one.plan.crossDc = crossDc;
    one.plan.hosts = {{0, 1}, {1, 1}};
    return one;
}

TEST(PlanEstimate, RingsOfUnlikeStagesShareASlowNode)
{
    for (const CrossDc crossDc : {CrossDc::ReplicasFlat, CrossDc::ReplicasHierarchical})
    {
        const auto one = UnlikeStagesOnSlowNodes(crossDc);
        StageTables tables(one.job, one.cluster);
        const auto& table = tables.Of({4, 1, 1});
        const ClusterWays ways(one.cluster);
        const double estimate =
            EstimatePlan(one.plan, {one.job, one.cluster, table}, ways, InFlightOf(one.plan))
                .seconds;
        const double simulated =
            SimulatePlan(one.plan, {one.job, one.cluster, table}).iterationTime.ToSeconds();
        EXPECT_NEAR(estimate, simulated, 0.05 * simulated);
        // A ring of two has two steps of half each, and the node sends what all stages have.
        double bits = 0;
        for (const Bytes& gradients : table.gradients)
        {
            bits += 8.0 * static_cast<double>(gradients.Count());
        }
        const double seconds = bits / ways.RateOfEach(0, 1, {});
        EXPECT_NEAR(estimate, seconds, 0.03 * seconds);
    }
}

TEST(PlanEstimate, TiedEmbeddingsAreReducedBetweenTheEndsOfAPipeline)
{
    EqualStagesCase one(2, 4, "1f1b");
    one.job.model = MakeGpt("gpt", 4, 4096, 32, 50304, 2048, true);
    one.cluster.wan.caps.nodePair = BitRate::GigabitsPerSecond(1);
    StageTables tables(one.job, one.cluster);
    const auto& table = tables.Of({2, 1, 1});
    const double bits = 8.0 * static_cast<double>(table.tiedEmbeddingGradients.Count());
    ASSERT_GT(bits, 3e9);
    EXPECT_NEAR(one.Estimate().allReduceSeconds, bits / 1e9 + 2 * 0.040, 0.01 * bits / 1e9);
    EXPECT_NEAR(one.Estimate().seconds, one.Simulated(), 0.1 * one.Simulated());
}

struct FoldedCase
{
    double linkRate; ///< Gbit/s
    WanSharing sharing;
    std::uint32_t replicas;
    std::uint32_t alike; ///< expected
    bool hasGradients;
    std::uint32_t stagesOfNode = 1;
};

/// Returns how much longer the plan takes, in s, where alike cells are left out, and expects the same
/// bytes.
double
ErrorOfFolding(const FoldedCase& one)
{
    Cluster cluster = Chain({one.replicas, one.replicas}, one.stagesOfNode);
    cluster.wan.caps.queue.value =
        4; // bandwidth-delay products, so that windows of 40 MB lose nothing
    SetLinkRates(cluster, BitRate::BitsPerSecond(static_cast<std::int64_t>(one.linkRate * 1e9)));
    const TrainingJob job = SmallJob(4, 64);
    TrainingPlan plan = OneStageEach(2, 8, "1f1b");
    plan.pipelineStages *= one.stagesOfNode;
    for (auto& host : plan.hosts)
    {
        host.count = one.stagesOfNode;
    }
    plan.dataParallel = one.replicas;
    plan.cellSize = 4;
    plan.placement = NodePlacement::Spread;
    plan.sharing = one.sharing;
    StageTables tables(job, cluster);
    StageTable table = tables.Of({plan.pipelineStages, 1, 1});
    if (!one.hasGradients)
    {
        table.gradients.assign(table.gradients.size(), Bytes());
    }
    EXPECT_EQ(AlikeCells(plan, cluster), one.alike);
    const auto folded = SimulatePlan(plan, {job, cluster, table});
    OrderCache orders;
    const auto whole = SimulateWholePlan(plan, {job, cluster, table, &orders});
    EXPECT_EQ(folded.wanPayload.Count(), whole.wanPayload.Count());
    return (folded.iterationTime - whole.iterationTime).ToSeconds();
}

// Replicas can send 5 Gbit/s each, which the link carries for all of them. Nothing of a cell waits
// for another one's. Rings of nothing take their formula's 14 steps of 10 us under spatial sharing.
TEST(PlanSimulation, OneOfAlikeCellsStandsForAllWhereNoLinkHasAQueue)
{
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Spatial, 8, 8, false}), 14 * 10e-6, 1e-6);
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Temporal, 8, 2, false}), 0, 1e-6);
}

// Rings under spatial sharing have a formula. Under temporal sharing they go on through the other
// cells: the last member sends to the next cell, and where one runs to its own first one, beside that
// one's part of the last gradients. That may cost what a step of the ring takes: 1.2 GB in 8 pieces
// at 100 Gbit/s, 12 ms, for each of two messages that a node passes on.
TEST(PlanSimulation, RingsOfAlikeCellsTakeAStepOrTwoMore)
{
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Spatial, 8, 8, true}), 0, 0.001);
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Temporal, 8, 2, true}), 0, 2 * 0.0125);
}

// At 10 Gbit/s the replicas queue at the link, where bursts of one wait for those of all others.
TEST(PlanSimulation, CellsThatQueueAtALinkAllRun)
{
    for (const WanSharing sharing : {WanSharing::Spatial, WanSharing::Temporal})
    {
        EXPECT_EQ(ErrorOfFolding({10, sharing, 8, 1, true}), 0);
    }
}

TEST(PlanSimulation, OfVeryManyCellsThatQueueAtALinkAFewRun)
{
    Cluster cluster = Chain({1024, 1024}, 1);
    SetLinkRates(cluster, BitRate::GigabitsPerSecond(1000));
    TrainingPlan plan = OneStageEach(2, 2000, "1f1b");
    plan.dataParallel = 1024;
    EXPECT_EQ(AlikeCells(plan, cluster), 1024u / 4);
    plan.microbatches = 8;
    EXPECT_EQ(AlikeCells(plan, cluster), 1024u / 64);
}

// Two stages of each replica are on one node, and no two replicas. The rings of both stages meet on
// the node, in the simulation of some of the cells too; they take a step or two more.
TEST(PlanSimulation, CellsWhoseStagesShareNodesAmongThemselvesAreAlike)
{
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Spatial, 8, 4, false, 2}), 0, 14 * 10e-6);
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Temporal, 8, 2, false, 2}), 0, 1e-6);
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Spatial, 8, 4, true, 2}), 0, 2 * 0.0125);
    EXPECT_NEAR(ErrorOfFolding({40, WanSharing::Temporal, 8, 2, true, 2}), 0, 2 * 0.0125);
}

// Eight of sixteen packed replicas have two whole nodes of four in each of two data centres. Their rings
// leave a node once, as those of all do, and take a step or two more.
TEST(PlanSimulation, PackedCellsHaveTwoNodesAndStandForAll)
{
    Cluster cluster = Chain({4, 4}, 4);
    cluster.wan.caps.queue.value = 4;
    const TrainingJob job = SmallJob(4, 128);
    TrainingPlan plan = OneStageEach(2, 8, "1f1b");
    plan.dataParallel = 16;
    StageTables tables(job, cluster);
    const StageTable& table = tables.Of({2, 1, 1});
    EXPECT_EQ(AlikeCells(plan, cluster), 2u);
    const auto folded = SimulatePlan(plan, {job, cluster, table});
    OrderCache orders;
    const auto whole = SimulateWholePlan(plan, {job, cluster, table, &orders});
    EXPECT_EQ(folded.wanPayload.Count(), whole.wanPayload.Count());
    const double step = 8.0 * static_cast<double>(table.gradients[0].Count()) / 16 / 100e9;
    EXPECT_NEAR(folded.iterationTime.ToSeconds(), whole.iterationTime.ToSeconds(), 2 * step);
    plan.dataParallel = 12; // not whole nodes
    EXPECT_EQ(AlikeCells(plan, cluster), 1u);
}

TEST(PlanSimulation, PlansWhoseReplicasShareNodesRunWhole)
{
    TrainingPlan plan = OneStageEach(2, 8, "1f1b");
    plan.dataParallel = 9;
    EXPECT_EQ(AlikeCells(plan, Chain({8, 9}, 2)), 1u);
    plan.dataParallel = 8;
    plan.crossDc = CrossDc::ReplicasFlat;
    EXPECT_EQ(AlikeCells(plan, Chain({8, 9}, 2)), 1u);
}

// Four replicas of two stages are in each of three data centres, on nodes of their own. A ring inside
// a data centre has its formula, and one of the four rings between them a fourth of the links. A flat
// ring runs whole: of its hops few are slow, and tokens wait for these at the others.
TEST(PlanSimulation, OneOfAlikeReplicasInEachDataCenterStandsForAll)
{
    const TrainingJob job = SmallJob(4, 96);
    TrainingPlan plan = OneStageEach(3, 8, "1f1b");
    plan.pipelineStages = 2;
    plan.dataParallel = 12;
    for (auto& host : plan.hosts)
    {
        host.count = 4;
    }
    plan.crossDc = CrossDc::ReplicasHierarchical;
    for (const std::int64_t gigabits : {4, 40})
    {
        Cluster cluster = Chain({8, 8, 8}, 1);
        SetLinkRates(cluster, BitRate::GigabitsPerSecond(gigabits));
        for (auto& link : cluster.wan.links)
        {
            link.queue.value = 20; // of bandwidth-delay products: nothing is lost
        }
        cluster.wan.caps.queue.value = 20;
        StageTables tables(job, cluster);
        StageTable table = tables.Of({plan.pipelineStages, 1, 1});
        table.gradients.assign(2, Bytes::Of(100000000));
        EXPECT_EQ(AlikeCells(plan, cluster), 4u);
        const auto folded = SimulatePlan(plan, {job, cluster, table});
        OrderCache orders;
        const auto whole = SimulateWholePlan(plan, {job, cluster, table, &orders});
        // Pieces of vectors are rounded to bytes.
        EXPECT_NEAR(static_cast<double>(folded.wanPayload.Count()),
                    static_cast<double>(whole.wanPayload.Count()),
                    1000);
        // With fewer rings to fill it, a link idles for up to a hop, 20 ms, in each of the two rounds.
        const double error = (folded.iterationTime - whole.iterationTime).ToSeconds();
        EXPECT_NEAR(error, 0, 2 * 0.020) << gigabits << " Gbit/s";
    }
    plan.crossDc = CrossDc::ReplicasFlat;
    EXPECT_EQ(AlikeCells(plan, Chain({8, 8, 8}, 1)), 1u);
}

TEST(PlanSimulation, AGradientAllReduceByTreeSavesItsStepsOfLatency)
{
    // A ring of n has 2(n - 1) steps, a tree 2 log2 n, and both send 2(n - 1)/n of the vector.
    const TrainingJob job = SmallJob(4, 64);
    const Cluster cluster = Chain({8}, 1);
    TrainingPlan plan = OneStageEach(1, 8, "1f1b");
    for (const auto& [members, saved] : {std::pair{4u, 2 * (3 - 2)}, std::pair{8u, 2 * (7 - 3)}})
    {
        plan.dataParallel = members;
        StageTables tables(job, cluster);
        const StageTable& table = tables.Of({1, 1, 1});
        const auto timeBy = [&](const std::string& collective)
        {
            plan.collective = collective;
            OrderCache orders;
            return SimulateWholePlan(plan, {job, cluster, table, &orders}).iterationTime;
        };
        const double latency = cluster.wan.sites[0].intraDelay.ToSeconds();
        EXPECT_NEAR((timeBy("ring") - timeBy("tree")).ToSeconds(), saved * latency, 1e-6);
        EXPECT_EQ(timeBy("fastest"), timeBy("tree"));
    }
}

TEST(PlanSimulation, OneReplicaWhoseStagesShareANodeRuns)
{
    const TrainingJob job = SmallJob(4, 8);
    const Cluster cluster = Chain({1}, 2);
    TrainingPlan plan = OneStageEach(2, 8, "1f1b");
    plan.hosts = {{0, 2}};
    EXPECT_EQ(AlikeCells(plan, cluster), 1u);
    StageTables tables(job, cluster);
    EXPECT_GT(SimulatePlan(plan, {job, cluster, tables.Of({2, 1, 1})}).iterationTime, Duration());
}

TEST(PlanSimulation, AFasterGpuInOneDataCenterMakesItsStageFaster)
{
    const TrainingJob job = SmallJob(4, 8);
    TrainingPlan plan = OneStageEach(2, 8, "gpipe");
    Cluster cluster = Chain({1, 1}, 1);
    StageTables slow(job, cluster);
    const auto before = SimulatePlan(plan, {job, cluster, slow.Of({2, 1, 1})}).iterationTime;
    cluster.dataCenters[1].gpu = *FindGpu("H100");
    StageTables mixed(job, cluster);
    const StageTable& table = mixed.Of({2, 1, 1});
    EXPECT_LT(table.timing[1][1].forward, slow.Of({2, 1, 1}).timing[1][1].forward);
    EXPECT_EQ(table.timing[0][0].forward, slow.Of({2, 1, 1}).timing[0][0].forward);
    EXPECT_LT(SimulatePlan(plan, {job, cluster, table}).iterationTime, before);
}

} // namespace
} // namespace geotrain
