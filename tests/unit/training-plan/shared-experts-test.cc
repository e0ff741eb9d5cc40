// SPDX-License-Identifier: GPL-2.0-only
// Plans whose replicas share experts, held against closed formulas: an iteration on the analytic
// network, the memory of a worker, and what is reduced between whom.
#include "planner-fixture.h"

#include "analytic/analytic-network.h"
#include "execution/plan-run.h"
#include "training-plan/plan-streams.h"
#include "training-plan/prepare-plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

constexpr double rate = 100e9;                        // of NICs and of the link, bit/s
constexpr double experts = 4 * 8 * 2.0 * 1024 * 1024; // weights of 4 layers of 8 experts
constexpr double tokens =
    2 * 1024 * 2 * 1024 * 2 * 8; // bits: microbatch x sequence x k x hidden x 2 B

TrainingJob
JobWithExperts()
{
    TrainingJob job;
    job.model = MakeGpt("gpt", 4, 1024, 8, 2048, 1024, false);
    job.model.experts.count = 8;
    job.model.experts.perToken = 2;
    job.model.experts.width = 1024;
    job.recomputation = Recomputation::None;
    return job;
}

/// Makes four replicas in `nodesOf` data centres' nodes, in groups of `degree` that share experts.
TrainingPlan
FourReplicas(const std::vector<std::uint32_t>& nodesOf, std::uint32_t degree)
{
    TrainingPlan plan;
    plan.dataParallel = 4;
    plan.expertParallel = degree;
    plan.microbatchSize = 2;
    plan.microbatches = 3;
    const auto each = static_cast<std::uint32_t>(4 / nodesOf.size());
    if (nodesOf.size() > 1)
    {
        plan.crossDc = CrossDc::ReplicasFlat;
    }
    for (std::uint32_t index = 0; index < nodesOf.size(); ++index)
    {
        plan.hosts.push_back({index, nodesOf.size() > 1 ? each : 1});
    }
    return plan;
}

/// Makes data centres without windows or caps, so that a message takes its latency and its bytes'
/// time.
Cluster
PlainCluster(const std::vector<std::uint32_t>& nodesOf)
{
    Cluster cluster = Chain(
        nodesOf, 4 / std::max(1U, nodesOf.front() * static_cast<std::uint32_t>(nodesOf.size())));
    cluster.transport.connections = 1;
    cluster.transport.connection = {};
    cluster.wan.caps.nodePair.reset();
    return cluster;
}

double
SecondsOf(const TrainingJob& job, const Cluster& cluster, const TrainingPlan& plan)
{
    const auto prepared = PreparePlan(job, cluster, plan);
    const auto streams = MakePlanStreams({prepared, job, cluster, plan, 1});
    AnalyticNetwork network(MakeAnalyticTopology(cluster.wan, cluster.transport, streams.pairs));
    PlanRunSettings settings;
    settings.layer = {cluster.chunk, prepared.nodeLocalRate};
    PlanRun run(streams.execution, network, settings);
    const PlanOutcome outcome = run.Run(Instant::Never());
    EXPECT_TRUE(outcome.IsDone()) << outcome.report;
    return run.Times().TimeOf({0, 1, 0}).ToSeconds();
}

struct Place
{
    const char* name;
    std::vector<std::uint32_t> nodesOf; ///< by data centre
    double busiest; ///< share of tokens on the busiest NIC or link; 0: in a node
    double latency; ///< s, of the slowest pair
};

// Each member of a group of four sends a quarter of its tokens to each other one: 3/4 over its own
// NIC or over NVLink, or with two on a node or at a site two halves over what they share. A ring of
// four takes six steps of a quarter of the gradients that are no expert's; from site to site every
// other step is inside a site, whose latency is 10 us. Tolerance: 1 ns per instruction and a byte
// per message, both far below 0.1 %.
TEST(SharedExperts, AnIterationIsComputingExchangesAndARing)
{
    for (const Place& place : {Place{"four nodes", {4}, 3.0 / 4, 10e-6},
                               Place{"one node", {1}, 0, 0},
                               Place{"two nodes of two", {2}, 1, 10e-6},
                               Place{"two sites", {2, 2}, 1, 20e-3}})
    {
        for (const auto recomputation :
             {Recomputation::None, Recomputation::Selective, Recomputation::Full})
        {
            TrainingJob job = JobWithExperts();
            job.recomputation = recomputation;
            const Cluster cluster = PlainCluster(place.nodesOf);
            const auto plan = FourReplicas(place.nodesOf, 4);
            const auto prepared = PreparePlan(job, cluster, plan);
            const StageTiming one = prepared.Times().stages.front();
            const auto nvlink = static_cast<double>(prepared.nodeLocalRate.ToBitsPerSecond());
            const double dense = 8.0 * static_cast<double>(prepared.gradients.front().Count());
            const double passes = recomputation == Recomputation::Full ? 3 : 2;
            const bool isInNode = place.busiest == 0;
            const double exchange = isInNode ? 3.0 / 4 * tokens / nvlink
                                             : place.latency + place.busiest * tokens / rate;
            const double other = std::min(place.latency, 10e-6);
            const double ring =
                3 * (place.latency + other) + 6 * dense / 4 / (isInNode ? nvlink : rate);
            const double expected = 3 * (one.forward + one.recompute + one.Backward()).ToSeconds() +
                                    one.optimizerStep.ToSeconds() + 3 * 4 * 2 * passes * exchange +
                                    ring;
            EXPECT_NEAR(SecondsOf(job, cluster, plan), expected, 1e-3 * expected) << place.name;
        }
    }
}

// A worker of a group of ep has 1/ep of the experts, 18 bytes a weight, 12 of them the optimiser's,
// which with a sharded optimiser are on the dp/ep workers that have the expert. Tolerance: biases
// and routers.
TEST(SharedExperts, AWorkerHasItsPartOfTheExperts)
{
    const Cluster cluster = PlainCluster({4});
    const auto stateOf = [&](const TrainingJob& job, std::uint32_t degree)
    {
        const auto memory = PreparePlan(job, cluster, FourReplicas({4}, degree)).memory;
        return static_cast<double>(memory.front().state.Count());
    };
    TrainingJob job = JobWithExperts();
    const auto all = static_cast<double>(StateBytesPerParameter(job.model.precision));
    const auto sharded = static_cast<double>(OptimizerStateBytesPerParameter(job.model.precision));
    EXPECT_NEAR(stateOf(job, 1) - stateOf(job, 4), all * experts * 3 / 4, 0.01 * all * experts);
    EXPECT_NEAR(stateOf(job, 1) - stateOf(job, 2), all * experts / 2, 0.01 * all * experts);
    job.shardsOptimizer = true; // a worker has as much of the optimiser's state as without groups
    EXPECT_NEAR(
        stateOf(job, 1) - stateOf(job, 4), (all - sharded) * experts * 3 / 4, 0.01 * all * experts);
}

// Experts are reduced between the dp/ep workers that have the same ones, all else between all.
TEST(SharedExperts, AreReducedBetweenThoseThatHaveThem)
{
    const Cluster cluster = PlainCluster({4});
    const TrainingJob job = JobWithExperts();
    const auto plan = FourReplicas({4}, 2);
    const auto prepared = PreparePlan(job, cluster, plan);
    const auto whole = PreparePlan(job, cluster, FourReplicas({4}, 1));
    const auto streams = MakePlanStreams({prepared, job, cluster, plan, 1}).execution;
    EXPECT_NEAR(static_cast<double>((whole.gradients[0] - prepared.gradients[0]).Count()),
                2 * experts,
                0.01 * 2 * experts);
    for (WorkerIndex worker = 0; worker < 4; ++worker)
    {
        std::vector<std::vector<WorkerIndex>> groups;
        std::vector<double> sizes;
        for (const auto& in : streams.workers[worker].stream)
        {
            if (in.kind == InstructionKind::AllToAll)
            {
                const WorkerIndex first = worker / 2 * 2;
                EXPECT_EQ(streams.groups[in.group], (std::vector<WorkerIndex>{first, first + 1}));
                EXPECT_EQ(in.size.Count() * 8, static_cast<std::int64_t>(tokens));
            }
            else if (in.kind == InstructionKind::AllReduce)
            {
                groups.push_back(streams.groups[in.group]);
                sizes.push_back(static_cast<double>(in.size.Count()));
            }
        }
        const WorkerIndex rank = worker % 2;
        ASSERT_EQ(groups, (std::vector<std::vector<WorkerIndex>>{{0, 1, 2, 3}, {rank, rank + 2}}));
        EXPECT_NEAR(sizes[1], 2 * experts / 2, 0.01 * experts);
    }
}

// The busiest worker's tokens set the pace where loads are unlike; a capacity factor sets it for
// all.
TEST(SharedExperts, SendAsManyTokensAsTheBusiestIsSent)
{
    const Cluster cluster = PlainCluster({4});
    const auto sizeOf = [&](const TrainingJob& job)
    {
        const auto size = PreparePlan(job, cluster, FourReplicas({4}, 4)).experts.size;
        return 8.0 * static_cast<double>(size.Count()) / tokens;
    };
    TrainingJob job = JobWithExperts();
    EXPECT_EQ(sizeOf(job), 1);
    job.model.experts.capacityFactor = 1.25;
    EXPECT_NEAR(sizeOf(job), 1.25, 1e-6);
    job.model.experts.capacityFactor = 0;
    job.model.experts.imbalance = 0.5;
    EXPECT_GT(sizeOf(job), 1.05);
    EXPECT_LT(sizeOf(job), 4);
}

} // namespace
} // namespace geotrain
